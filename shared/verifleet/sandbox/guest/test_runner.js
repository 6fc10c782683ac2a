// What a JavaScript test program finds around it: describe, it, hooks, expect and mocks as jest, vitest and mocha have
// them, and node:test. It runs in the judge's process; what it does not have is an error of ours, never a wrong result.
'use strict';

let notThere = ''; // what the test program asked for first
class Unsupported extends Error {
  constructor(wanted) { super(`${wanted} is not supported`); this.wanted = wanted; notThere ||= String(wanted); }
}

function failCheck(message) { throw new assert.AssertionError({ message }); }

// --- equality --------------------------------------------------------------------

class Asymmetric { // expect.any(Number) and the like: only what the test program wrote is ever asked
  constructor(matches) { this.matches = matches; }
}

const MAX_NESTING = 500;

// `how`: 'loose' as toEqual (keys that are undefined and classes don't count), 'strict' as toStrictEqual, 'subset' as
// toMatchObject (keys that are not expected don't count).
function sameValue(actual, expected, how, depth = 0) {
  if (expected instanceof Asymmetric) return expected.matches(actual) === true;
  if (Object.is(actual, expected)) return true;
  if (actual === null || expected === null || typeof actual !== 'object' || typeof expected !== 'object') return false;
  if (depth > MAX_NESTING) return false;
  const same = (a, b) => sameValue(a, b, how, depth + 1);
  const types = util.types;
  for (const is of [Array.isArray, types.isDate, types.isRegExp, types.isMap, types.isSet, types.isNativeError,
    types.isPromise, types.isTypedArray, types.isAnyArrayBuffer, types.isBoxedPrimitive, types.isWeakMap, types.isWeakSet]) {
    if (is(actual) !== is(expected) && !(how === 'subset' && is === types.isNativeError && is(actual))) return false;
  }
  if (types.isPromise(actual) || types.isWeakMap(actual) || types.isWeakSet(actual)) return false;
  if (how === 'strict' && getPrototypeOf(actual) !== getPrototypeOf(expected)) return false;
  if (types.isDate(actual)) return Object.is(actual.getTime(), expected.getTime());
  if (types.isRegExp(actual)) return String(actual) === String(expected);
  if (types.isBoxedPrimitive(actual)) return Object.is(actual.valueOf(), expected.valueOf());
  if (types.isAnyArrayBuffer(actual)) return same(new Uint8Array(actual), new Uint8Array(expected));
  if (types.isNativeError(actual) && types.isNativeError(expected)) return actual.message === expected.message && (how !== 'strict' || actual.name === expected.name);
  if (types.isSet(actual)) return actual.size === expected.size && matched([...actual], [...expected], same);
  if (types.isMap(actual)) {
    return actual.size === expected.size && matched([...actual], [...expected], ([key, value], [wanted, other]) => same(key, wanted) && same(value, other));
  }
  if (types.isTypedArray(actual) && getPrototypeOf(actual) !== getPrototypeOf(expected)) return false;
  if (isArray(actual) || types.isTypedArray(actual)) {
    if (actual.length !== expected.length) return false;
    if (how === 'strict') for (let i = 0; i < expected.length; i++) if ((i in actual) !== (i in expected)) return false;
    for (let i = 0; i < expected.length; i++) if (!same(actual[i], expected[i])) return false;
    return true;
  }
  const keys = (value) => ownKeys(value).filter((key) => Object.prototype.propertyIsEnumerable.call(value, key)
    && (how === 'strict' || value[key] !== undefined));
  const wanted = how === 'subset' ? ownKeys(expected) : keys(expected);
  if (how !== 'subset' && keys(actual).length !== wanted.length) return false;
  return wanted.every((key) => (how === 'loose' || key in actual) && same(actual[key], expected[key]));
}

// Whether the two lists of the same length hold the same, in any order.
function matched(actual, expected, same) {
  const left = [...actual];
  return expected.every((wanted) => {
    const at = left.findIndex((item) => same(item, wanted));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

// --- mocks -----------------------------------------------------------------------

function makeMocks(timers) {
  const all = new Set();
  let order = 0;
  const fn = (implementation) => {
    let own = implementation, once = [], name = 'jest.fn()';
    const mock = function (...values) {
      const { calls, results, instances, contexts, invocationCallOrder } = mock.mock;
      calls.push(values);
      instances.push(this);
      contexts.push(this);
      invocationCallOrder.push(++order);
      mock.mock.lastCall = values;
      const result = { type: 'incomplete', value: undefined };
      results.push(result);
      const body = once.length ? once.shift() : own;
      try {
        result.value = body === undefined ? undefined : new.target ? construct(body, values) : apply(body, this, values);
        result.type = 'return';
      } catch (error) {
        result.type = 'throw';
        result.value = error;
        throw error;
      }
      return result.value;
    };
    const clear = () => { mock.mock = { calls: [], results: [], instances: [], contexts: [], invocationCallOrder: [], lastCall: undefined }; };
    clear();
    Object.assign(mock, {
      _isMockFunction: true,
      mockClear: () => (clear(), mock),
      mockReset: () => (clear(), own = undefined, once = [], mock),
      mockRestore: () => (mock.mockReset(), mock),
      mockName: (given) => (name = given, mock),
      getMockName: () => name,
      getMockImplementation: () => own,
      mockImplementation: (body) => (own = body, mock),
      mockImplementationOnce: (body) => (once.push(body), mock),
      mockReturnThis: () => (own = function () { return this; }, mock),
      mockReturnValue: (value) => (own = () => value, mock),
      mockReturnValueOnce: (value) => (once.push(() => value), mock),
      mockResolvedValue: (value) => (own = async () => value, mock),
      mockResolvedValueOnce: (value) => (once.push(async () => value), mock),
      mockRejectedValue: (error) => (own = async () => { throw error; }, mock),
      mockRejectedValueOnce: (error) => (once.push(async () => { throw error; }), mock),
    });
    all.add(mock);
    return mock;
  };
  const spyOn = (object, name, access) => {
    if (access) throw new Unsupported('spyOn of a getter or setter');
    const real = object[name];
    if (real && real._isMockFunction) return real;
    if (typeof real !== 'function') failCheck(`there is no function ${String(name)} to spy on`);
    const spy = fn(function (...values) { return apply(real, this, values); });
    const restore = () => { object[name] = real; };
    spy.mockRestore = () => (spy.mockReset(), restore(), spy);
    object[name] = spy;
    return spy;
  };
  const nothing = () => api;
  const api = {
    fn, spyOn,
    mocked: (value) => value,
    isMockFunction: (value) => Boolean(value && value._isMockFunction),
    clearAllMocks: () => { for (const mock of all) mock.mockClear(); return api; },
    resetAllMocks: () => { for (const mock of all) mock.mockReset(); return api; },
    restoreAllMocks: () => { for (const mock of all) mock.mockRestore(); return api; },
    setTimeout: nothing, useRealTimers: nothing, retryTimes: nothing,
    ...timers,
  };
  return orUnsupported(api, 'jest.');
}

// Timers that only go on when the test program says so. They stand in the way of the solution's own where it shares
// the process, which is where programs that use them are run.
function makeTimers() {
  const real = { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, clearImmediate, Date };
  let now = 0, started = 0, next = 1, queue = new Map();
  const add = (every) => (body, delay = 0, ...values) => {
    const wait = Math.max(every ? 1 : 0, Number(delay) || 0), id = next++;
    queue.set(id, { id, at: now + wait, every: every ? wait : 0, run: () => body(...values) });
    return { id, ref() { return this; }, unref() { return this; }, hasRef: () => true, [Symbol.toPrimitive]: () => id };
  };
  const remove = (timer) => { queue.delete(timer !== null && typeof timer === 'object' ? timer.id : timer); };
  const first = (until) => [...queue.values()].filter((timer) => timer.at <= until).sort((a, b) => a.at - b.at || a.id - b.id)[0];
  const fire = (timer) => {
    now = Math.max(now, timer.at);
    if (timer.every) timer.at += timer.every; else queue.delete(timer.id);
    timer.run();
  };
  const settle = () => new Promise((resolve) => real.setImmediate(resolve));
  const limit = (count) => { if (count > 100000) failCheck('timers without end'); };
  const advance = (by) => {
    const until = now + by;
    for (let timer, count = 0; (timer = first(until)); limit(++count)) fire(timer);
    now = until;
  };
  const advanceAsync = async (by) => {
    const until = now + by;
    await settle();
    for (let timer, count = 0; (timer = first(until)); limit(++count)) { fire(timer); await settle(); }
    now = until;
    await settle();
  };
  const runAll = () => { for (let timer, count = 0; (timer = first(Infinity)); limit(++count)) fire(timer); };
  const runPending = () => { for (const { id } of [...queue.values()].sort((a, b) => a.at - b.at || a.id - b.id)) if (queue.has(id)) fire(queue.get(id)); };
  const fakeDate = class extends real.Date {
    constructor(...values) { if (values.length) super(...values); else super(started + now); }
    static now() { return started + now; }
  };
  const use = (options) => {
    now = 0; queue = new Map();
    started = options && options.now !== undefined ? Number(options.now) : real.Date.now();
    const fakes = { setTimeout: add(false), clearTimeout: remove, setInterval: add(true), clearInterval: remove, Date: fakeDate,
      setImmediate: (body, ...values) => add(false)(body, 0, ...values), clearImmediate: remove };
    Object.assign(globalThis, fakes);
  };
  return {
    useFakeTimers: use, useRealTimers: () => { Object.assign(globalThis, real); },
    advanceTimersByTime: advance, advanceTimersByTimeAsync: advanceAsync,
    runAllTimers: runAll, runAllTimersAsync: async () => { for (let timer, count = 0; (timer = first(Infinity)); limit(++count)) { fire(timer); await settle(); } },
    runOnlyPendingTimers: runPending, runOnlyPendingTimersAsync: async () => { runPending(); await settle(); },
    advanceTimersToNextTimer: () => { const timer = first(Infinity); if (timer) fire(timer); },
    runAllTicks: () => {}, getTimerCount: () => queue.size, clearAllTimers: () => { queue.clear(); },
    setSystemTime: (time) => { started = Number(time) - now; }, getRealSystemTime: () => real.Date.now(),
  };
}

// Of what is not there, a test program must not learn that it is undefined.
function orUnsupported(object, path) {
  return new Proxy(object, {
    get(target, key) {
      if (key in target || typeof key === 'symbol' || key === 'then' || key === 'toJSON') return target[key];
      throw new Unsupported(`${path}${key}`);
    },
  });
}

// --- expect ----------------------------------------------------------------------

function makeExpect(judge, state) {
  const custom = Object.create(null);
  const verdict = (good, negated, message) => { judge.checks++; if (Boolean(good) === negated) failCheck(message || 'expectation failed'); };
  const ours = (error) => error instanceof CandidateGone || error instanceof NotCarried || error instanceof Unsupported;
  const thrownBy = (body) => {
    if (typeof body !== 'function') failCheck('a function was expected');
    try { body(); } catch (error) { if (ours(error)) throw error; return [error]; }
    return null;
  };
  const isError = (error, wanted) => {
    const message = error !== null && typeof error === 'object' ? error.message : error;
    if (wanted === undefined) return true;
    if (typeof wanted === 'string') return String(message).includes(wanted);
    if (util.types.isRegExp(wanted)) return new RegExp(wanted.source, wanted.flags.replace(/[gy]/g, '')).test(String(message));
    if (wanted instanceof Asymmetric) return wanted.matches(error) === true;
    if (typeof wanted === 'function') return error instanceof wanted;
    return message === wanted.message;
  };
  const number = (...values) => { for (const value of values) if (typeof value !== 'number' && typeof value !== 'bigint') { judge.checks++; failCheck('a number was expected'); } };
  const near = (actual, other, digits) => actual === other || Math.abs(actual - other) < 10 ** -digits / 2;
  const items = (actual) => {
    if (isArray(actual) || (actual !== null && typeof actual === 'object' && typeof actual[Symbol.iterator] === 'function')) return [...actual];
    judge.checks++;
    return failCheck('a list was expected');
  };
  const at = (value, path) => {
    const keys = isArray(path) ? path : String(path).replace(/\[(\w+)\]/g, '.$1').replace(/^\./, '').split('.');
    for (const key of keys) {
      if (value === null || value === undefined || !(key in Object(value))) return null;
      value = value[key];
    }
    return [value];
  };
  const calls = (mock) => { if (!mock || !mock.mock) { judge.checks++; failCheck('a mock function was expected'); } return isArray(mock.mock.calls) ? mock.mock.calls.map((call) => (isArray(call) ? call : call.arguments)) : []; };
  const returns = (mock) => (calls(mock), mock.mock.results.filter((result) => result.type === 'return').map((result) => result.value));
  const equal = (a, b) => sameValue(a, b, 'loose');
  const matchers = {
    toBe: (actual, wanted) => Object.is(actual, wanted),
    toEqual: (actual, wanted) => equal(actual, wanted),
    toStrictEqual: (actual, wanted) => sameValue(actual, wanted, 'strict'),
    toMatchObject: (actual, wanted) => actual !== null && typeof actual === 'object' && sameValue(actual, wanted, 'subset'),
    toBeTruthy: (actual) => Boolean(actual),
    toBeFalsy: (actual) => !actual,
    toBeNull: (actual) => actual === null,
    toBeUndefined: (actual) => actual === undefined,
    toBeDefined: (actual) => actual !== undefined,
    toBeNullable: (actual) => actual === undefined || actual === null,
    toBeNaN: (actual) => Number.isNaN(actual),
    toBeGreaterThan: (actual, other) => (number(actual, other), actual > other),
    toBeGreaterThanOrEqual: (actual, other) => (number(actual, other), actual >= other),
    toBeLessThan: (actual, other) => (number(actual, other), actual < other),
    toBeLessThanOrEqual: (actual, other) => (number(actual, other), actual <= other),
    toBeCloseTo: (actual, other, digits = 2) => (number(actual, other), near(actual, other, digits)),
    toContain: (actual, item) => (typeof actual === 'string' ? typeof item === 'string' && actual.includes(item) : items(actual).includes(item)),
    toContainEqual: (actual, item) => items(actual).some((one) => equal(one, item)),
    toHaveLength: (actual, length) => actual !== null && actual !== undefined && actual.length === length,
    toMatch: (actual, pattern) => typeof actual === 'string' && (typeof pattern === 'string' ? actual.includes(pattern) : new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, '')).test(actual)),
    toBeInstanceOf: (actual, type) => actual instanceof type,
    toBeTypeOf: (actual, type) => typeof actual === type,
    toBeOneOf: (actual, list) => [...list].some((one) => equal(actual, one)),
    toSatisfy: (actual, test) => Boolean(test(actual)),
    toHaveProperty: (actual, path, ...value) => { const found = at(actual, path); return found !== null && (!value.length || equal(found[0], value[0])); },
    toHaveBeenCalled: (mock) => calls(mock).length > 0,
    toHaveBeenCalledTimes: (mock, times) => calls(mock).length === times,
    toHaveBeenCalledOnce: (mock) => calls(mock).length === 1,
    toHaveBeenCalledWith: (mock, ...values) => calls(mock).some((call) => equal(call, values)),
    toHaveBeenCalledExactlyOnceWith: (mock, ...values) => calls(mock).length === 1 && equal(calls(mock)[0], values),
    toHaveBeenLastCalledWith: (mock, ...values) => equal(calls(mock).at(-1), values),
    toHaveBeenNthCalledWith: (mock, nth, ...values) => equal(calls(mock)[nth - 1], values),
    toHaveReturned: (mock) => returns(mock).length > 0,
    toHaveReturnedTimes: (mock, times) => returns(mock).length === times,
    toHaveReturnedWith: (mock, value) => returns(mock).some((one) => equal(one, value)),
    toHaveLastReturnedWith: (mock, value) => returns(mock).length > 0 && equal(returns(mock).at(-1), value),
    toHaveNthReturnedWith: (mock, nth, value) => returns(mock).length >= nth && equal(returns(mock)[nth - 1], value),
  };
  for (const [other, name] of Object.entries({
    toBeCalled: 'toHaveBeenCalled', toBeCalledTimes: 'toHaveBeenCalledTimes', toBeCalledWith: 'toHaveBeenCalledWith',
    lastCalledWith: 'toHaveBeenLastCalledWith', nthCalledWith: 'toHaveBeenNthCalledWith', toReturn: 'toHaveReturned',
    toReturnTimes: 'toHaveReturnedTimes', toReturnWith: 'toHaveReturnedWith',
  })) matchers[other] = matchers[name];

  // `how`: '' for the value itself, 'rejects' where it is what a promise was rejected with.
  const bound = (actual, negated, how) => {
    const own = (name) => {
      if (name === 'toThrow' || name === 'toThrowError') {
        return (wanted) => { const found = how === 'rejects' ? [actual] : thrownBy(actual); verdict(found !== null && isError(found[0], wanted), negated); };
      }
      if (matchers[name]) return (...values) => verdict(matchers[name](actual, ...values), negated);
      if (custom[name]) {
        return (...values) => {
          const result = apply(custom[name], { isNot: negated, equals: equal, promise: how, utils: {} }, [actual, ...values]);
          if (util.types.isPromise(result)) return result.then(({ pass }) => verdict(pass, negated));
          return verdict(result.pass, negated);
        };
      }
      return undefined;
    };
    return own;
  };
  const settledBound = (actual, negated, how) => (name) => {
    if (bound(undefined, negated, how)(name) === undefined) return undefined;
    return (...values) => {
      const checked = (async () => {
        let given = actual;
        if (typeof given === 'function') given = given();
        if (!given || typeof given.then !== 'function') { judge.checks++; failCheck('a promise was expected'); }
        let found;
        try { found = [await given]; } catch (error) {
          if (ours(error)) throw error;
          if (how === 'resolves') { judge.checks++; failCheck('the promise was rejected'); }
          return bound(error, negated, how)(name)(...values);
        }
        if (how === 'rejects') { judge.checks++; failCheck('the promise was resolved'); }
        return bound(found[0], negated, how)(name)(...values);
      })();
      state.pending.push(checked);
      checked.catch(() => {}); // the end of its test asks for it
      return checked;
    };
  };
  const chain = (find, more) => new Proxy({}, {
    get(_, key) {
      if (typeof key === 'symbol' || key === 'then') return undefined;
      if (key in more) return more[key]();
      const matcher = find(key);
      if (matcher === undefined) throw new Unsupported(`expect().${key}`);
      return matcher;
    },
  });
  const settled = (actual, how) => chain(settledBound(actual, false, how), { not: () => chain(settledBound(actual, true, how), {}) });
  const expect = (actual) => chain(bound(actual, false, ''), {
    not: () => chain(bound(actual, true, ''), {}),
    resolves: () => settled(actual, 'resolves'),
    rejects: () => settled(actual, 'rejects'),
    ...chaiChain(judge, actual, verdict, thrownBy, isError),
  });
  const KINDS = new Map([[String, 'string'], [Number, 'number'], [Boolean, 'boolean'], [BigInt, 'bigint'], [Symbol, 'symbol'], [Function, 'function']]);
  const asymmetric = (negated) => {
    const made = (matches) => new Asymmetric((actual) => Boolean(matches(actual)) !== negated);
    return {
      arrayContaining: (wanted) => made((actual) => isArray(actual) && wanted.every((item) => actual.some((one) => equal(one, item)))),
      objectContaining: (wanted) => made((actual) => actual !== null && typeof actual === 'object' && ownKeys(wanted).every((key) => key in actual && equal(actual[key], wanted[key]))),
      stringContaining: (text) => made((actual) => typeof actual === 'string' && actual.includes(text)),
      stringMatching: (pattern) => made((actual) => typeof actual === 'string' && matchers.toMatch(actual, typeof pattern === 'string' ? new RegExp(pattern) : pattern)),
      closeTo: (other, digits = 2) => made((actual) => typeof actual === 'number' && near(actual, other, digits)),
    };
  };
  Object.assign(expect, asymmetric(false), {
    not: orUnsupported(asymmetric(true), 'expect.not.'),
    anything: () => new Asymmetric((actual) => actual !== null && actual !== undefined),
    any: (type) => new Asymmetric((actual) => (KINDS.has(type) ? typeof actual === KINDS.get(type) : type === Object ? actual !== null && typeof actual === 'object' : actual instanceof type)),
    assertions: (count) => { state.expected = count; },
    hasAssertions: () => { state.expected = state.expected ?? -1; },
    extend: (more) => { Object.assign(custom, more); },
    soft: expect, fail: (message) => { judge.checks++; failCheck(message); }, unreachable: (message) => { judge.checks++; failCheck(message); },
  });
  return orUnsupported(expect, 'expect.');
}

// chai's words: expect(x).to.be.an('array').that.includes(1)
function chaiChain(judge, actual, verdict, thrownBy, isError) {
  const kindOf = (value) => (value === null ? 'null' : isArray(value) ? 'array' : util.types.isPromise(value) ? 'promise'
    : typeof value !== 'object' ? typeof value : Object.prototype.toString.call(value).slice(8, -1).toLowerCase());
  const make = (value, flags) => {
    const check = (good, message) => { verdict(good, Boolean(flags.not), message); return make(value, flags); };
    const same = (a, b) => (flags.deep ? sameValue(a, b, 'strict') : a === b || Object.is(a, b));
    const length = () => (value !== null && value !== undefined ? value.size ?? value.length : undefined);
    const measure = () => (flags.length ? length() : value);
    const numeric = (other, good) => { const own = measure(); check(typeof own === typeof other && (typeof own === 'number' || typeof own === 'bigint' || util.types.isDate(own)) && good(own)); return make(value, { ...flags, length: false }); };
    const list = () => (typeof value === 'string' ? [...value] : value && typeof value[Symbol.iterator] === 'function' ? [...value] : []);
    const include = (item) => {
      if (typeof value === 'string') return check(typeof item === 'string' && value.includes(item));
      if (value && typeof value[Symbol.iterator] === 'function') return check((util.types.isMap(value) ? [...value.values()] : list()).some((one) => same(one, item)));
      return check(value !== null && typeof value === 'object' && item !== null && typeof item === 'object' && Object.keys(item).every((key) => same(value[key], item[key])));
    };
    const property = (name, ...wanted) => {
      let found = value, has = true;
      for (const key of flags.nested ? String(name).replace(/\[(\w+)\]/g, '.$1').split('.') : [name]) {
        has = has && found !== null && found !== undefined && (flags.own ? Object.prototype.hasOwnProperty.call(Object(found), key) : key in Object(found));
        found = has ? found[key] : undefined;
      }
      check(has && (!wanted.length || same(found, wanted[0])));
      return make(flags.not ? value : found, { ...flags, not: false });
    };
    const keys = (...names) => {
      const wanted = (names.length === 1 && isArray(names[0]) ? names[0] : names.length === 1 && names[0] !== null && typeof names[0] === 'object' ? Object.keys(names[0]) : names);
      const own = util.types.isMap(value) || util.types.isSet(value) ? [...value.keys()] : Object.keys(Object(value));
      const has = (name) => own.includes(name);
      if (flags.any) return check(wanted.some(has));
      return check(wanted.every(has) && (flags.contains || own.length === wanted.length));
    };
    const members = (wanted) => check(isArray(value) && (flags.contains ? wanted.every((item) => value.some((one) => same(one, item)))
      : value.length === wanted.length && (flags.ordered ? wanted.every((item, index) => same(value[index], item)) : matched(value, wanted, same))));
    const thrown = (first, second) => {
      const found = thrownBy(value);
      const text = second ?? (typeof first === 'function' || (first !== null && typeof first === 'object' && !util.types.isRegExp(first)) ? undefined : first);
      const good = found !== null && (first === undefined || (typeof first === 'function' ? found[0] instanceof first : typeof first === 'string' || util.types.isRegExp(first) || found[0] === first || isError(found[0], first))) && isError(found[0], text);
      check(good);
      return make(found ? found[0] : undefined, { ...flags, not: false });
    };
    const type = (wanted) => check(kindOf(value) === String(wanted).toLowerCase());
    const callable = (body, next) => new Proxy(body, { get: (_, key) => make(value, next)[key] });
    const equal = (wanted) => check(flags.deep ? sameValue(value, wanted, 'strict') : value === wanted);
    const eql = (wanted) => check(sameValue(value, wanted, 'strict'));
    const words = {};
    for (const word of 'to be been is that which and has have with at of same but does still also a an'.split(' ')) words[word] = () => make(value, flags);
    words.a = words.an = () => callable(type, flags);
    for (const flag of 'not deep nested own ordered any'.split(' ')) words[flag] = () => make(value, { ...flags, [flag]: true });
    words.all = () => make(value, { ...flags, any: false });
    words.include = words.includes = words.contain = words.contains = () => callable(include, { ...flags, contains: true });
    words.length = words.lengthOf = () => callable((wanted) => check(length() === wanted), { ...flags, length: true });
    const states = {
      ok: () => Boolean(value), true: () => value === true, false: () => value === false, null: () => value === null,
      undefined: () => value === undefined, NaN: () => Number.isNaN(value), exist: () => value !== null && value !== undefined,
      finite: () => Number.isFinite(value), empty: () => (value !== null && typeof value === 'object' && length() === undefined ? Object.keys(value).length === 0 : length() === 0),
    };
    for (const [name, good] of Object.entries(states)) words[name] = () => check(good());
    const methods = {
      equal, equals: equal, eq: equal, eql, eqls: eql, property, keys, key: keys, members, throw: thrown, throws: thrown, Throw: thrown,
      above: (other) => numeric(other, (own) => own > other), least: (other) => numeric(other, (own) => own >= other),
      below: (other) => numeric(other, (own) => own < other), most: (other) => numeric(other, (own) => own <= other),
      within: (low, high) => numeric(low, (own) => own >= low && own <= high),
      closeTo: (other, delta) => numeric(other, (own) => Math.abs(own - other) <= delta),
      instanceof: (wanted) => check(value instanceof wanted),
      match: (pattern) => check(typeof value === 'string' && new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, '')).test(value)),
      string: (text) => check(typeof value === 'string' && value.includes(text)),
      satisfy: (test) => check(test(value)), oneOf: (options) => check(options.some((one) => same(value, one))),
      respondTo: (name) => check(typeof Object(value)[name] === 'function' || typeof Object(Object(value).prototype)[name] === 'function'),
    };
    Object.assign(methods, { gt: methods.above, greaterThan: methods.above, gte: methods.least, greaterThanOrEqual: methods.least,
      lt: methods.below, lessThan: methods.below, lte: methods.most, lessThanOrEqual: methods.most,
      approximately: methods.closeTo, instanceOf: methods.instanceof, satisfies: methods.satisfy, matches: methods.match });
    for (const [name, method] of Object.entries(methods)) words[name] = () => method;
    return new Proxy({}, {
      get(_, key) {
        if (typeof key === 'symbol' || key === 'then') return undefined;
        if (!Object.prototype.hasOwnProperty.call(words, key)) throw new Unsupported(`expect().${key}`);
        return words[key]();
      },
    });
  };
  return { to: () => make(actual, {}), be: () => make(actual, {}), have: () => make(actual, {}), deep: () => make(actual, { deep: true }) };
}

function makeChai(judge, expect) {
  const to = (actual) => expect(actual).to;
  const methods = {
    equal: (a, b) => { judge.checks++; if (a != b) failCheck('not equal'); }, // eslint-disable-line eqeqeq
    notEqual: (a, b) => { judge.checks++; if (a == b) failCheck('equal'); }, // eslint-disable-line eqeqeq
    strictEqual: (a, b) => to(a).equal(b), notStrictEqual: (a, b) => to(a).not.equal(b),
    deepEqual: (a, b) => to(a).eql(b), deepStrictEqual: (a, b) => to(a).eql(b), notDeepEqual: (a, b) => to(a).not.eql(b),
    isTrue: (a) => to(a).true, isFalse: (a) => to(a).false, isNotTrue: (a) => to(a).not.true, isNotFalse: (a) => to(a).not.false,
    ok: (a) => to(a).ok, isOk: (a) => to(a).ok, notOk: (a) => to(a).not.ok, isNotOk: (a) => to(a).not.ok,
    isNull: (a) => to(a).null, isNotNull: (a) => to(a).not.null, isUndefined: (a) => to(a).undefined, isDefined: (a) => to(a).not.undefined,
    isNaN: (a) => to(a).NaN, isNotNaN: (a) => to(a).not.NaN, exists: (a) => to(a).exist, notExists: (a) => to(a).not.exist,
    isAbove: (a, b) => to(a).above(b), isAtLeast: (a, b) => to(a).least(b), isBelow: (a, b) => to(a).below(b), isAtMost: (a, b) => to(a).most(b),
    isArray: (a) => to(a).an('array'), isString: (a) => to(a).a('string'), isNumber: (a) => to(a).a('number'), isBoolean: (a) => to(a).a('boolean'),
    isObject: (a) => to(a).an('object'), isFunction: (a) => to(a).a('function'), isEmpty: (a) => to(a).empty, isNotEmpty: (a) => to(a).not.empty,
    typeOf: (a, type) => to(a).a(type), instanceOf: (a, type) => to(a).instanceof(type), include: (a, b) => to(a).include(b), notInclude: (a, b) => to(a).not.include(b),
    deepInclude: (a, b) => to(a).deep.include(b), match: (a, pattern) => to(a).match(pattern), lengthOf: (a, length) => to(a).lengthOf(length),
    property: (a, name) => to(a).property(name), propertyVal: (a, name, value) => to(a).property(name, value), notProperty: (a, name) => to(a).not.property(name),
    sameMembers: (a, b) => to(a).members(b), sameDeepMembers: (a, b) => to(a).deep.members(b), sameOrderedMembers: (a, b) => to(a).ordered.members(b), includeMembers: (a, b) => to(a).include.members(b),
    throws: (body, ...wanted) => to(body).throw(...wanted.slice(0, 2)), throw: (body, ...wanted) => to(body).throw(...wanted.slice(0, 2)), doesNotThrow: (body) => to(body).not.throw(),
    closeTo: (a, b, delta) => to(a).closeTo(b, delta), approximately: (a, b, delta) => to(a).closeTo(b, delta), oneOf: (a, list) => to(a).oneOf(list),
    fail: () => { judge.checks++; failCheck('failed'); },
  };
  const check = Object.assign((good) => { judge.checks++; if (!good) failCheck('not true'); }, methods);
  const found = orUnsupported({ expect, assert: orUnsupported(check, 'chai.assert.'), use: () => found, config: {} }, 'chai.');
  return found;
}

// --- describe, it, hooks -----------------------------------------------------------

const HOOKS = { beforeAll: 'beforeAll', before: 'beforeAll', beforeEach: 'beforeEach', afterEach: 'afterEach', after: 'afterAll', afterAll: 'afterAll',
  setup: 'beforeEach', teardown: 'afterEach', suiteSetup: 'beforeAll', suiteTeardown: 'afterAll' };

const MOCHA = { timeout() { return MOCHA; }, slow() { return MOCHA; }, retries() { return MOCHA; }, skip() { throw new Unsupported('this.skip'); } };

function newSuite(mode) {
  return { children: [], beforeAll: [], beforeEach: [], afterEach: [], afterAll: [], mode };
}

// `modules`: by name, what `require` gives; `scope`: names that are always there; `rare`: names that a solution may have.
function armRunner(judge, check) {
  const root = newSuite('');
  const state = { pending: [], expected: null, running: false };
  let current = root, madeExpect, madeMocks; // made when they are asked for: most programs only assert
  const expect = () => (madeExpect ??= makeExpect(judge, state));
  const mocks = () => (madeMocks ??= makeMocks(makeTimers()));

  // A body in the style of jest and mocha ('done'), of vitest ('context') or of node:test ('t').
  const call = (body, values, style, context) => {
    const destructures = /^(?:async\s*)?(?:function\b[^(]*)?\(\s*\{/.test(Function.prototype.toString.call(body));
    const given = style === 't' || (style === 'context' || destructures) && !values.length ? [...values, context] : values;
    if (body.length <= given.length || (style === 'context' || destructures) && !values.length) return apply(body, MOCHA, given);
    return new Promise((resolve, reject) => {
      const failed = (error) => reject(error instanceof Error ? error : new assert.AssertionError({ message: 'done with an error' }));
      const done = Object.assign((error) => (error ? failed(error) : resolve()), { fail: failed });
      const made = apply(body, MOCHA, [...given, done]);
      if (util.types.isPromise(made)) made.catch(reject);
    });
  };

  const arranged = (values) => {
    const options = values.find((value) => value !== null && typeof value === 'object') || {};
    const body = values.find((value) => typeof value === 'function');
    const mode = options.skip || options.todo ? 'skip' : options.only ? 'only' : '';
    return { name: typeof values[0] === 'string' ? values[0] : '', body, mode };
  };

  const makeIt = (style) => {
    const add = (mode, values) => {
      const found = arranged(values);
      let settle;
      const settled = new Promise((resolve) => { settle = resolve; });
      current.children.push({ ...found, style, values: [], settle, mode: !found.body ? 'skip' : mode || found.mode });
      return settled;
    };
    const it = withModes((mode) => (...values) => add(mode, values), (mode) => (rows) => (name, body) => {
      for (const row of rows) current.children.push({ name, body, style: 'done', values: row, settle: () => {}, mode });
    });
    return it;
  };
  const describe = withModes((mode) => (...values) => open(mode, arranged(values), []), (mode) => (rows) => (name, body) => {
    for (const row of rows) open(mode, { name, body, mode: '' }, row);
  });
  function open(mode, { body, mode: own }, row) {
    const suite = newSuite(mode || own), outer = current;
    outer.children.push(suite);
    current = suite;
    try {
      const made = body && apply(body, MOCHA, row);
      if (util.types.isPromise(made)) made.catch((error) => { judge.failed ||= judge.blame(error); });
    } finally { current = outer; }
  }

  // What a body in vitest's or node's style is given, and how far the tests are that it starts itself.
  const contextOf = (name) => {
    const inner = newSuite('');
    const own = { started: Promise.resolve() };
    own.t = orUnsupported({
      name, fullName: name, assert: check, task: { name },
      get signal() { return new AbortController().signal; },
      get expect() { return expect(); },
      get mock() { return realRequire('node:test').mock; },
      skip() {}, todo() {}, diagnostic() {}, runOnly() {},
      plan: (count) => { state.expected = count; },
      after: (body) => { state.afters.push(body); }, onTestFinished: (body) => { state.afters.push(body); },
      before: (body) => { own.started = own.started.then(() => body()); },
      beforeEach: (body) => { inner.beforeEach.push(body); }, afterEach: (body) => { inner.afterEach.push(body); },
      test: (...values) => {
        const { body, mode, name: sub } = arranged(values);
        if (body && mode !== 'skip') own.started = own.started.then(() => runBody({ body, style: 't', values: [], name: sub }, [inner]));
        own.started.catch(() => {});
        return own.started;
      },
    }, 't.');
    return own;
  };

  const runBody = async (test, chain) => {
    for (const suite of chain) for (const hook of suite.beforeEach) await call(hook, [], 'done');
    const context = contextOf(test.name);
    await call(test.body, test.values, test.style, context.t);
    await context.started;
    while (state.pending.length) await state.pending.shift();
    for (const suite of [...chain].reverse()) for (const hook of suite.afterEach) await call(hook, [], 'done');
  };
  const runTest = async (test, chain) => {
    const before = judge.checks;
    Object.assign(state, { expected: null, afters: [] });
    await runBody(test, chain);
    while (state.afters.length) await state.afters.pop()();
    const made = judge.checks - before;
    if (state.expected !== null && (state.expected < 0 ? made === 0 : made !== state.expected)) failCheck(`${made} checks were made`);
  };
  const focused = (item) => item.mode === 'only' || (item.children || []).some(focused);
  const wanted = (item, focus) => item.mode !== 'skip' && (!focus || focused(item) || item.within);
  const runSuite = async (suite, chain, focus) => {
    const inner = [...chain, suite];
    let entered = false;
    for (let index = 0; index < suite.children.length; index++) {
      const item = suite.children[index];
      item.within = (suite.within || suite.mode === 'only') && !suite.children.some(focused);
      if (wanted(item, focus)) {
        if (!entered) for (const hook of suite.beforeAll) await call(hook, [], 'done');
        entered = true;
        if (item.children) await runSuite(item, inner, focus); else await runTest(item, inner);
      }
      if (item.settle) item.settle();
    }
    if (entered) for (const hook of suite.afterAll) await call(hook, [], 'done');
    suite.children = [];
  };
  // Runs what has been registered since it was run last.
  const run = async () => {
    state.running = true;
    await runSuite(root, [], focused(root));
    while (state.pending.length) await state.pending.shift();
    state.running = false;
  };

  const hooks = {};
  for (const [name, kind] of Object.entries(HOOKS)) hooks[name] = (...values) => { current[kind].push(arranged(values).body); };
  const it = makeIt('done');
  const { before, beforeAll, beforeEach, after, afterAll, afterEach } = hooks;
  const common = { describe, it, test: it, beforeEach, afterEach, beforeAll, afterAll };
  const jest = () => ({ ...common, expect: expect(), jest: mocks() });
  const context = makeIt('context'), own = makeIt('t');
  const ofNode = { describe, suite: describe, it: own, before, after, beforeEach, afterEach, assert: check };
  const modules = {
    '@jest/globals': jest, jest,
    vitest: () => ({ ...common, it: context, test: context, expect: expect(), vi: mocks(), vitest: mocks(), suite: describe }),
    mocha: () => ({ ...common, before, after, context: describe, specify: it }),
    chai: () => makeChai(judge, expect()),
    'node:test': () => Object.defineProperty(Object.assign(own, ofNode, { test: own, default: own }), 'mock', { get: () => realRequire('node:test').mock, configurable: true }),
  };
  const rare = { get jest() { return mocks(); }, get vi() { return mocks(); }, before, after, context: describe, specify: it, suite: describe, setup: hooks.setup, teardown: hooks.teardown,
    suiteSetup: hooks.suiteSetup, suiteTeardown: hooks.suiteTeardown, xit: it.skip, xtest: it.skip, xspecify: it.skip, fit: it.only, xdescribe: describe.skip,
    xcontext: describe.skip, fdescribe: describe.only };
  const scope = { assert: check, ...common, get expect() { return expect(); }, set expect(other) { madeExpect = other; } };
  return { scope, rare, modules, run, state, waiting: () => root.children.length > 0 };
}

// `each` takes rows as lists, as single values, or as a table in a template.
function rowsOf(first, values) {
  if (!isArray(first) || !first.raw) return first.map((row) => (isArray(row) ? row : [row]));
  const names = first[0].trim().split('\n')[0].split('|').map((name) => name.trim()), rows = [];
  for (let at = 0; at + names.length <= values.length; at += names.length) {
    rows.push([Object.fromEntries(names.map((name, index) => [name, values[at + index]]))]);
  }
  return rows;
}

function withModes(plain, each) {
  const made = (mode) => Object.assign(plain(mode), { each: (first, ...values) => each(mode)(rowsOf(first, values)), for: (rows) => each(mode)([...rows].map((row) => [row])) });
  const given = (mode) => (condition) => made(condition ? mode : '');
  const main = Object.assign(made(''), { only: made('only'), skip: made('skip'), todo: made('skip'), skipIf: given('skip'), runIf: (condition) => made(condition ? '' : 'skip') });
  main.concurrent = main.sequential = main;
  return main;
}
