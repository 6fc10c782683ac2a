// A jailed node process: waits for a job on stdin, runs it in its mode, leaves. The JavaScript side of runner.py,
// script.py, cases.py, judge.py and candidate.py; the plain-data form is wire.py's.
'use strict';
const fs = require('fs');
const vm = require('vm');
const util = require('util');
const Module = require('module');
const stream = require('stream');

// What this worker itself needs, kept before any untrusted code can patch it.
const { parse, stringify } = JSON;
const { readSync, writeSync } = fs;
const { wait } = Atomics, never = new Int32Array(new SharedArrayBuffer(4));
const BufferFrom = Buffer.from, alloc = Buffer.alloc, concat = Buffer.concat;
const realProcess = process, realConsole = console, realRequire = require, realImmediate = setImmediate;
let assert; // loaded by judges only: it costs a fifth of a process's start
const exit = process.reallyExit.bind(process);
const apply = Reflect.apply, construct = Reflect.construct, ownKeys = Reflect.ownKeys;
const getPrototypeOf = Object.getPrototypeOf, isArray = Array.isArray;
const typedName = Object.getOwnPropertyDescriptor(getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag).get;
const TYPED = { Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array, Float64Array, BigInt64Array, BigUint64Array };
const MAX_BYTES = 8 * 1024 * 1024, MAX_DEPTH = 200, MAX_VALUES = 1000000, FILE_NAME = 'solution.js';

// --- bytes -------------------------------------------------------------------

function readExactly(fd, size, buffer = alloc(size)) {
  let got = 0;
  while (got < size) {
    let part;
    try {
      part = readSync(fd, buffer, got, size - got, null);
    } catch (error) {
      if (error.code === 'EAGAIN') continue;
      throw error;
    }
    if (part === 0) return null;
    got += part;
  }
  return buffer;
}

function writeAll(fd, buffer) {
  let sent = 0;
  while (sent < buffer.length) {
    try {
      sent += writeSync(fd, buffer, sent, buffer.length - sent);
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}

function framed(buffer) {
  const head = alloc(4);
  head.writeUInt32BE(buffer.length, 0);
  return concat([head, buffer]);
}

function sendFrame(text) { writeAll(3, framed(BufferFrom(text, 'utf8'))); }

let canned = null; // while warming up: what the link gives
const started = realProcess.argv.pop(); // how the nursery started this process: warm, to be forked, or kept

// All is said: the keeper ends a process that says that it leaves, which is quicker than node's own end.
function leave(code) {
  if (canned !== null) return;
  if (!started) exit(code);
  try { writeAll(3, framed(BufferFrom(`\0left${String.fromCharCode(code)}`, 'latin1'))); } catch { exit(code); }
  for (;;) wait(never, 0, 0);
}

// --- plain data ----------------------------------------------------------------

class WireError extends Error {}

function tagged(value, opaque, depth, counter) {
  if (++counter.n > MAX_VALUES) throw new WireError('too many values');
  if (depth > MAX_DEPTH) throw new WireError('nested too deeply');
  switch (typeof value) {
    case 'string': case 'boolean': return value;
    case 'undefined': return { u: 0 };
    case 'number':
      if (Number.isFinite(value)) return Object.is(value, -0) ? { n: '-0' } : value;
      return { f: value !== value ? 'nan' : value > 0 ? 'inf' : '-inf' };
    case 'bigint':
      if (counter.numbers) throw new WireError('a BigInt was returned, not a number');
      return { i: (value < 0n ? '-0x' + (-value).toString(16) : '0x' + value.toString(16)) };
    case 'symbol': case 'function': return opaque(value, counter);
  }
  if (value === null) return null;
  if (counter.places && counter.places.has(value)) return { h: ['argument', counter.places.get(value), ''] };
  if (util.types.isProxy(value)) return opaque(value, counter);
  const inner = (item) => tagged(item, opaque, depth + 1, counter);
  const prototype = getPrototypeOf(value);
  if (isArray(value)) {
    const out = [];
    for (let i = 0; i < value.length; i++) out.push(inner(value[i]));
    return out;
  }
  if (prototype === Object.prototype || prototype === null) {
    if (counter.linked && keepsState(value)) return opaque(value, counter);
    const out = [];
    for (const key of Object.keys(value)) out.push(key, inner(value[key]));
    return { d: out };
  }
  if (util.types.isMap(value)) {
    const out = [];
    Map.prototype.forEach.call(value, (item, key) => out.push(inner(key), inner(item)));
    return { m: out };
  }
  if (util.types.isSet(value)) {
    const out = [];
    Set.prototype.forEach.call(value, (item) => out.push(inner(item)));
    return { s: out };
  }
  if (util.types.isDate(value)) return { jsdate: Date.prototype.getTime.call(value) };
  if (util.types.isRegExp(value)) return { re: [String(value.source), String(value.flags)] };
  if (counter.linked && util.types.isTypedArray(value) && !Buffer.isBuffer(value)) {
    return { ta: [apply(typedName, value, []), Array.from(value).map(inner)] };
  }
  if (util.types.isUint8Array(value)) return { b: BufferFrom(value).toString('base64') };
  if (util.types.isTypedArray(value)) return Array.from(value).map(inner);
  if (util.types.isBoxedPrimitive(value)) return inner(value.valueOf());
  return opaque(value, counter);
}

// An object with methods or getters is used where it is: a copy would not change with it.
function keepsState(value) {
  return ownKeys(value).some((key) => {
    const property = Object.getOwnPropertyDescriptor(value, key);
    return property.get !== undefined || property.set !== undefined || typeof property.value === 'function';
  });
}

function encode(value, opaque, numbers = false) { // `numbers`: a BigInt is not one
  const refuse = (item) => { throw new WireError(`a value of type ${typeof item} can't be carried`); };
  const text = stringify(tagged(value, opaque || refuse, 0, { n: 0, numbers }));
  if (text.length > MAX_BYTES) throw new WireError('the value is too large');
  return text;
}

function untagged(data, handle) {
  if (data === null || typeof data !== 'object') return data;
  if (isArray(data)) return data.map((item) => untagged(item, handle));
  const keys = Object.keys(data);
  if (keys.length !== 1) throw new WireError('an object with one tag was expected');
  const tag = keys[0], plain = data[tag];
  const items = () => plain.map((item) => untagged(item, handle));
  const pairs = () => { const flat = items(), out = []; for (let i = 0; i < flat.length; i += 2) out.push([flat[i], flat[i + 1]]); return out; };
  switch (tag) {
    case 'u': return undefined;
    case 'n': return -0;
    case 'f': return { nan: NaN, inf: Infinity, '-inf': -Infinity }[plain];
    case 'i': return plain[0] === '-' ? -BigInt(plain.slice(1)) : BigInt(plain);
    case 't': case 'l': case 'q': return items();
    case 'named': return items().slice(2);
    case 's': case 'z': return new Set(items());
    case 'm': return new Map(pairs());
    case 'd': {
      const out = {};
      for (const [key, value] of pairs()) {
        Object.defineProperty(out, key, { value, writable: true, enumerable: true, configurable: true });
      }
      return out;
    }
    case 'b': return BufferFrom(plain, 'base64');
    case 'ta': return new TYPED[plain[0]](untagged(plain[1], handle));
    case 'jsdate': return new Date(plain);
    case 're': return new RegExp(plain[0], plain[1]);
    case 'h': return handle(plain);
  }
  throw new WireError('unknown tag');
}

function decode(text, handle) {
  if (text.length > MAX_BYTES) throw new WireError('the value is too large');
  return untagged(parse(text), handle);
}

// --- running a source -------------------------------------------------------------

// ES modules as scripts: imports become require, exports lose the word. Good for programs, not for the language.
function asScript(source) {
  const main = /^\s*export\s+default\s+(?:async\s+)?(?:function\s*\*?|class)\s+(\w+)/m.exec(source);
  if (main) source += `\n;module.exports.default = ${main[1]};`;
  return source
    .replace(/^#![^\n]*/, '')
    .replace(/^\s*import\s+\*\s+as\s+(\w+)\s+from\s+(['"][^'"]+['"]);?/gm, 'const $1 = require($2);')
    .replace(/^\s*import\s+(\w+)\s*,\s*\{([^}]*)\}\s+from\s+(['"][^'"]+['"]);?/gm,
      (_, d, names, from) => `const ${d} = require(${from}); const {${names.replace(/\bas\b/g, ':')}} = ${d};`)
    .replace(/^\s*import\s+\{([^}]*)\}\s+from\s+(['"][^'"]+['"]);?/gm,
      (_, names, from) => `const {${names.replace(/\bas\b/g, ':')}} = require(${from});`)
    .replace(/^\s*import\s+(\w+)\s+from\s+(['"][^'"]+['"]);?/gm, 'const $1 = require($2);')
    .replace(/^\s*import\s+(['"][^'"]+['"]);?/gm, 'require($1);')
    .replace(/^\s*export\s+default\s+(?=(?:async\s+)?function\s*\*?\s+\w|class\s+\w)/gm, '')
    .replace(/^\s*export\s+default\s+/gm, 'module.exports = ')
    .replace(/^\s*export\s+\{[^}]*\};?/gm, '')
    .replace(/^\s*export\s+(?=(?:async\s+)?function|class|const|let|var)/gm, '');
}

function plainRequire(name) {
  const bare = String(name).replace(/^node:/, '');
  if (!Module.builtinModules.includes(bare)) {
    const error = new Error(`Cannot find module '${name}'`);
    error.code = 'MODULE_NOT_FOUND';
    throw error;
  }
  return realRequire(bare);
}

function describe_(error) {
  let name = 'Error', message = '';
  try {
    name = String(error && error.name || typeof error).slice(0, 100);
    message = String(error && error.message !== undefined ? error.message : error).slice(0, 300);
  } catch { /* its getters are the program's */ }
  const outcome = /heap out of memory|Array buffer allocation failed|Invalid (string|array) length/.test(message) ? 'memory' : 'exception';
  return { outcome, error: name, message };
}

function showError(error) {
  try { writeAll(2, BufferFrom(String(error && error.stack || error).slice(0, 4000) + '\n')); } catch { /* closed */ }
}

function loadingFailure(error) {
  return error instanceof SyntaxError ? { outcome: 'syntax_error', error: 'SyntaxError', message: String(error.message).slice(0, 300) } : describe_(error);
}

// Run a solution in this context, so that its top-level names can be looked up afterwards. Null or how it failed.
function loadSolution(source) {
  globalThis.module = { exports: {} };
  globalThis.exports = globalThis.module.exports;
  globalThis.require = plainRequire;
  globalThis.require.main = {};
  let script;
  try {
    try {
      script = new vm.Script(source, { filename: FILE_NAME });
    } catch {
      script = new vm.Script(asScript(source), { filename: FILE_NAME });
    }
    script.runInThisContext();
    return null;
  } catch (error) {
    showError(error);
    return script ? describe_(error) : loadingFailure(error);
  }
}

const WHOLE = 'module.exports';
function lookUp(asked) {
  const only = asked[0] === '='; // under just this name
  const name = only ? asked.slice(1) : asked;
  if (name === WHOLE) { // the module itself, where it is a function or a class
    const { exports } = globalThis.module || {};
    return [exports, exports && exports.default].find((value) => typeof value === 'function');
  }
  if (/^[A-Za-z_$][\w$]*$/.test(name)) {
    try {
      const value = vm.runInThisContext(`typeof ${name} === 'undefined' ? undefined : ${name}`);
      if (value !== undefined) return value;
    } catch { /* a reserved word, or not initialised */ }
  }
  const exported = globalThis.module && globalThis.module.exports;
  if (exported && exported[name] !== undefined) return exported[name];
  if (only) return undefined;
  if (typeof exported === 'function' && (exported.name === name || !exported.name || name === 'default')) return exported;
  const solution = name === 'Solution' ? undefined : lookUp('Solution');
  if (typeof solution === 'function' && solution.prototype && typeof solution.prototype[name] === 'function') {
    const made = new solution();
    return made[name].bind(made);
  }
  // A module that is itself a function, named otherwise: its user would choose the name.
  return typeof exported === 'function' && !isClass(exported) ? exported : undefined;
}

function isClass(value) { return /^class\b/.test(apply(Function.prototype.toString, value, [])); }

// --- mode: cases ---------------------------------------------------------------------

async function runCases(job) {
  const failed = loadSolution(job.source);
  const report = (value) => sendFrame('!' + stringify(value));
  if (failed) { report({ ...failed, loading: true }); return leave(1); }
  const entryPoint = job.cases[0][0];
  const [first, ...rest] = entryPoint.split('.');
  let target = lookUp(first);
  for (const part of rest) {
    if (typeof target === 'function' && target.prototype && part in target.prototype) target = new target();
    target = target && typeof target[part] === 'function' ? target[part].bind(target) : undefined;
  }
  if (typeof target !== 'function') {
    report({ outcome: 'exception', error: 'ReferenceError', message: `no function ${entryPoint} is defined`, loading: true });
    return leave(1);
  }
  for (const [, packed] of job.cases) {
    let frame;
    try {
      const [args, keywords] = decode(BufferFrom(packed, 'base64').toString('utf8'));
      if (Object.keys(keywords).length) args.push(keywords);
      let value = target(...args);
      if (job.awaited) value = await value;
      else if (util.types.isPromise(value)) { value.catch(() => {}); throw new WireError('a promise was returned, not a value'); }
      if (value && typeof value === 'object' && typeof value.next === 'function' && typeof value[Symbol.iterator] === 'function') {
        const items = [];
        for (const item of value) if (items.push(item) >= 100000) break;
        value = items;
      }
      frame = '=' + encode(value, flattened, !job.bigints);
    } catch (error) {
      showError(error);
      frame = '!' + stringify(error instanceof WireError ? { outcome: 'wrong_output', error: '', message: error.message } : describe_(error));
    }
    sendFrame(frame);
  }
  leave(0);
}

// Objects of classes are compared by their own fields, as JSON would have them.
function flattened(value, counter) {
  if (typeof value !== 'object' || util.types.isProxy(value)) throw new WireError(`a ${typeof value} can't be carried`);
  return tagged({ ...value }, flattened, 1, { ...counter, n: 0 });
}

// --- mode: script, several tests in one process -----------------------------------------

class ExitSignal { constructor(code) { this.code = code; } }

function runScripts(job) {
  const compiled = compileProgram(job.source);
  if (compiled.failed) { sendFrame(stringify(compiled.failed)); return leave(1); }
  const globals = new Set(ownKeys(globalThis));
  let current = null, next = 0;
  const finish = () => {
    const report = { out: concat(current.chunks).toString('base64'), code: current.code, ...(current.failed || {}) };
    current = null;
    for (const key of ownKeys(globalThis)) if (!globals.has(key)) delete globalThis[key];
    sendFrame(stringify(report));
  };
  const fail = (error) => {
    if (!current) return;
    if (error instanceof ExitSignal) { current.code = error.code; current.left = true; return; }
    showError(error);
    current.failed = describe_(error);
  };
  realProcess.on('uncaughtException', fail);
  realProcess.on('unhandledRejection', fail);
  const begin = () => {
    current = { chunks: [], size: 0, code: 0, failed: null, left: false };
    const state = current;
    const world = makeWorld(BufferFrom(job.inputs[next++], 'base64'), state, job.output_bytes);
    try {
      compiled.run.call(globalThis, {}, world.require, { exports: {} }, FILE_NAME, '/');
    } catch (error) {
      fail(error);
    }
  };
  realProcess.on('beforeExit', () => {
    if (current) { if (!current.code && realProcess.exitCode) current.code = realProcess.exitCode; finish(); }
    realProcess.exitCode = undefined;
    if (next < job.inputs.length) { begin(); setImmediate(() => {}); } else leave(0);
  });
}

function compileProgram(source) {
  const parameters = ['exports', 'require', 'module', '__filename', '__dirname'];
  const attempts = [source, asScript(source), `return (async () => {${asScript(source)}\n})()`];
  let first = null;
  for (const attempt of attempts) {
    try {
      return { run: vm.compileFunction(attempt.replace(/^#![^\n]*/, ''), parameters, { filename: FILE_NAME }) };
    } catch (error) {
      first = first || error;
    }
  }
  showError(first);
  return { failed: loadingFailure(first) };
}

// Stand-ins for stdin, stdout and exit, one set for each test. What they give is confirmed by a process of its own
// where a test fails, so they only have to be right nearly always.
function makeWorld(input, state, limit) {
  const take = (chunk, encoding) => {
    const buffer = typeof chunk === 'string' ? BufferFrom(chunk, encoding || 'utf8') : BufferFrom(chunk);
    state.size += buffer.length;
    if (state.size > limit) {
      sendFrame(stringify({ outcome: 'output_limit', out: concat(state.chunks).toString('base64') }));
      leave(1); // the tests that are left get a new process
    }
    if (!state.left) state.chunks.push(buffer);
  };
  const stdin = new stream.Readable({ read() {} });
  stdin.push(input);
  stdin.push(null);
  stdin.fd = 0;
  stdin.isTTY = undefined;
  stdin.setRawMode = () => stdin;
  const stdout = new stream.Writable({ decodeStrings: false, write(chunk, encoding, done) { take(chunk, encoding); done(); } });
  stdout.write = (chunk, encoding, done) => {
    take(chunk, typeof encoding === 'string' ? encoding : 'utf8');
    const callback = typeof encoding === 'function' ? encoding : done;
    if (callback) realProcess.nextTick(callback);
    return true;
  };
  stdout.fd = 1;
  const stderr = new stream.Writable({ write(chunk, encoding, done) { done(); } });
  stderr.fd = 2;
  const leaving = (code) => { throw new ExitSignal(code === undefined ? (realProcess.exitCode || 0) : Number(code)); };
  const replaced = { stdin, stdout, stderr, exit: leaving, reallyExit: leaving, argv: ['node', FILE_NAME] };
  const process = new Proxy(realProcess, {
    get: (target, key) => (key in replaced ? replaced[key] : typeof target[key] === 'function' && key !== 'constructor' ? target[key].bind(target) : target[key]),
    set: (target, key, value) => { if (key in replaced) replaced[key] = value; else target[key] = value; return true; },
  });
  const isInput = (file) => file === 0 || file === '/dev/stdin' || file === '/proc/self/fd/0' || (file && file.fd === 0);
  let offset = 0;
  const rest = () => { const part = input.subarray(offset); offset = input.length; return part; };
  const fake = {
    ...fs,
    readFileSync(file, options) {
      if (!isInput(file)) return fs.readFileSync(file, options);
      const encoding = typeof options === 'string' ? options : options && options.encoding;
      const data = BufferFrom(rest());
      return encoding ? data.toString(encoding) : data;
    },
    readSync(fd, buffer, at, length, position) {
      if (fd !== 0) return fs.readSync(fd, buffer, at, length, position);
      if (at && typeof at === 'object') ({ offset: at, length, position } = at);
      const part = input.subarray(offset, offset + (length === undefined ? buffer.length - (at || 0) : length));
      BufferFrom(part).copy(buffer, at || 0);
      offset += part.length;
      return part.length;
    },
    readFile(file, options, done) {
      if (!isInput(file)) return fs.readFile(file, options, done);
      const callback = typeof options === 'function' ? options : done;
      realProcess.nextTick(() => callback(null, fake.readFileSync(0, typeof options === 'function' ? undefined : options)));
    },
    writeSync(fd, data, ...more) {
      if (fd !== 1) return fs.writeSync(fd, data, ...more);
      take(data);
      return data.length;
    },
    writeFileSync(file, data, options) {
      if (file === 1 || file === '/dev/stdout') return take(data);
      return fs.writeFileSync(file, data, options);
    },
    openSync(file, ...more) { return file === '/dev/stdin' ? 0 : fs.openSync(file, ...more); },
    createReadStream(file, options) { return isInput(file) || (options && options.fd === 0) ? stdin : fs.createReadStream(file, options); },
    fstatSync(fd, ...more) { return fs.fstatSync(fd, ...more); },
    promises: { ...fs.promises, async readFile(file, options) { return isInput(file) ? fake.readFileSync(0, options) : fs.promises.readFile(file, options); } },
  };
  const require = (name) => {
    const bare = String(name).replace(/^node:/, '');
    if (bare === 'fs') return fake;
    if (bare === 'fs/promises') return fake.promises;
    if (bare === 'process') return process;
    return plainRequire(name);
  };
  require.main = undefined;
  globalThis.process = process;
  globalThis.console = new realConsole.Console({ stdout, stderr });
  return { require };
}

// One test with the real stdin: what follows the job on descriptor 0.
function runScript(job) {
  const compiled = compileProgram(job.source);
  if (compiled.failed) { sendFrame(stringify(compiled.failed)); return leave(1); }
  const fail = (error) => { showError(error); sendFrame(stringify(describe_(error))); leave(1); };
  realProcess.on('uncaughtException', fail);
  realProcess.on('unhandledRejection', fail);
  realProcess.argv = ['node', FILE_NAME];
  const emit = realProcess.emit;
  Object.defineProperty(realProcess, 'emit', {
    configurable: true,
    writable: true,
    value(name, ...values) {
      const heard = apply(emit, this, [name, ...values]);
      if (name === 'exit' && realProcess._exiting) leave(Number(realProcess.exitCode || 0) & 255);
      return heard;
    },
  });
  const own = Object.assign((name) => plainRequire(name), { main: undefined });
  try {
    compiled.run.call({}, {}, own, { exports: {} }, FILE_NAME, '/');
  } catch (error) {
    fail(error);
  }
}

// --- the link ---------------------------------------------------------------------------

class LinkLost extends Error {}

// `places`: where the answer, which comes second, may hold what it was given.
function linkSend(message, opaque, places) {
  const counter = { n: 0, linked: true };
  const text = stringify(message.map((item, index) => tagged(item, opaque, 1, index === 1 && places ? { ...counter, places } : counter)));
  if (text.length > MAX_BYTES) throw new WireError('the value is too large');
  const frame = framed(BufferFrom(text, 'utf8'));
  try { writeAll(5, frame); } catch { throw new LinkLost(); }
}

function linkReceive(handle) {
  if (canned !== null) {
    if (canned.length === 0) throw new LinkLost();
    return decode(canned.shift(), handle);
  }
  const head = readExactly(4, 4);
  if (head === null) throw new LinkLost();
  const length = head.readUInt32BE(0);
  if (length > MAX_BYTES * 3) throw new WireError('the message is too long');
  const body = readExactly(4, length);
  if (body === null) throw new LinkLost();
  return decode(body.toString('utf8'), handle);
}

const CHANGEABLE = (value) => value !== null && typeof value === 'object' && !util.types.isProxy(value)
  && (isArray(value) || util.types.isMap(value) || util.types.isSet(value) || getPrototypeOf(value) === Object.prototype);

// Objects of a call's arguments and the way to each: what comes back is the very same.
function placesIn(values) {
  const found = new Map();
  const walk = (value, path) => {
    if (!CHANGEABLE(value) || util.types.isMap(value) || found.has(value) || found.size > 5000 || path.length > 30) return;
    found.set(value, path);
    for (const key of Object.keys(value)) walk(value[key], [...path, key]);
  };
  values.forEach((value, index) => walk(value, [String(index)]));
  return found;
}

function placed(values, path) {
  let found = values;
  for (const key of path) {
    if (found !== values && (!CHANGEABLE(found) || util.types.isMap(found)) || !Object.prototype.hasOwnProperty.call(found, key)) throw new WireError('there is no such argument');
    found = found[key];
  }
  return found;
}

function rebuiltError(name, text) {
  const builtIn = { Error, TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError }[name];
  const error = new (builtIn || Error)(text);
  if (!builtIn) Object.defineProperty(error, 'name', { value: name, writable: true, configurable: true });
  return error;
}

// --- mode: candidate ------------------------------------------------------------------------

async function runCandidate(job) {
  const exported = [], known = new Map();
  let printed = [], printedSize = 0;
  const log = (...values) => {
    const line = util.format(...values);
    try { writeAll(1, BufferFrom(line + '\n')); } catch { leave(1); }
    if (printedSize < 1 << 20) { printed.push(line); printedSize += line.length; }
  };
  console.log = console.info = console.debug = log;
  const failed = loadSolution(job.source);
  printed = [];
  if (failed) { sendFrame(stringify(failed)); return leave(1); }

  const kindOf = (value) => {
    if (typeof value === 'function') return /^class\b/.test(Function.prototype.toString.call(value)) ? 'class' : 'callable';
    if (typeof value === 'symbol') return 'symbol';
    if (util.types.isPromise(value) || (value && typeof value.then === 'function')) return 'promise';
    return 'object';
  };
  const handle = (value) => {
    if (typeof value === 'function' && callbacks.has(value)) return { h: ['yours', callbacks.get(value), ''] };
    let number = known.get(value);
    if (number === undefined) {
      number = exported.length;
      if (number > 200000) throw new WireError('too many objects');
      exported.push(value);
      known.set(value, number);
    }
    if (util.types.isNativeError(value)) return { h: ['error', number, String(value.name).slice(0, 100), String(value.message).slice(0, 2000)] };
    return { h: [kindOf(value), number, typeof value === 'function' ? String(value.name).slice(0, 100) : ''] };
  };
  const callbacks = new Map();
  const importHandle = ([kind, number, name, text]) => {
    if (kind === 'mine') return exported[number];
    if (kind === 'error') return rebuiltError(name, text);
    const call = (...values) => ask(number, values);
    callbacks.set(call, number);
    return call;
  };
  const ask = (number, values) => {
    linkSend(['ask', number, values], handle);
    for (;;) {
      const message = linkReceive(importHandle);
      if (message[0] !== 'ok' && message[0] !== 'err') { answer(message, perform); continue; }
      if (calledBack) realImmediate(calledBack);
      if (message[0] === 'ok') return message[1];
      throw new (globalThis[message[1]] || Error)(message[2]);
    }
  };
  let calledBack = null;
  // Whether the test program is called back before there is nothing left to do here.
  const goneOn = () => new Promise((resolve) => {
    const over = (called) => { calledBack = null; realProcess.removeListener('beforeExit', idle); resolve(called); };
    const idle = () => over(false);
    calledBack = () => over(true);
    realProcess.once('beforeExit', idle);
  });
  const perform = (operation, target, values) => {
    switch (operation) {
      case 'call': return target(...values);
      case 'callon': return values[0] === null ? undefined : apply(target, values[0], values.slice(1));
      case 'construct': return construct(target, values);
      case 'get': return target[values[0]];
      case 'set': target[values[0]] = values[1]; return true;
      case 'delete': return delete target[values[0]];
      case 'has': return values[0] in target;
      case 'keys': return Object.keys(target);
      case 'proto': { const prototype = getPrototypeOf(target); return prototype === Object.prototype ? 'Object' : prototype; }
      case 'isinstance': return values[0] instanceof target;
      case 'iterate': return [...target];
      case 'iterator': return apply(target[Symbol.asyncIterator] || target[Symbol.iterator], target, []);
      case 'string': return String(target);
      case 'name': { const value = lookUp(values[0]); return [value !== undefined, value]; }
    }
    throw new WireError('unknown operation');
  };
  const reply = (outcome, changeable, before, places) => {
    const changed = [];
    changeable.forEach((value, index) => {
      const now = encoded(value);
      if (now !== before[index]) changed.push([value.at, value.value]);
    });
    const lines = printed;
    printed = []; printedSize = 0;
    if (changed.length) for (const [value, path] of places) if (path.length > 1) places.delete(value); // it may have moved
    try {
      linkSend([...outcome, changed, lines], handle, outcome[0] === 'ok' ? places : null);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      linkSend(['err', 'Error', error.message, undefined, [], []], handle);
    }
  };
  const encoded = (entry) => { try { return encode(entry.value, handle); } catch { return ''; } };
  const thrown = (error) => {
    if (error instanceof LinkLost) throw error;
    if (error === null || (typeof error !== 'object' && typeof error !== 'function')) return ['throw', '', '', error];
    return ['err', String(error.name || 'Error').slice(0, 100), String(error.message).slice(0, 2000), error];
  };
  const prepared = (message) => {
    const changeable = message[3].map((value, at) => ({ value, at })).filter((entry) => CHANGEABLE(entry.value));
    return [changeable, changeable.map(encoded)];
  };
  const answer = (message, how) => {
    const [changeable, before] = prepared(message);
    const places = placesIn(message[3]);
    let outcome;
    try { outcome = ['ok', how(message[1], message[2], message[3])]; } catch (error) { outcome = thrown(error); }
    reply(outcome, changeable, before, places);
  };
  realProcess.on('unhandledRejection', () => {});
  linkSend(['ready'], handle);
  try {
    for (;;) {
      const message = linkReceive(importHandle);
      if (message[1] === 'idle') { reply(['ok', await goneOn()], [], []); continue; }
      if (message[1] !== 'await') { answer(message, perform); continue; }
      let outcome;
      try { outcome = ['ok', await message[2]]; } catch (error) { outcome = thrown(error); }
      reply(outcome, [], []);
    }
  } catch (error) {
    if (!(error instanceof LinkLost)) showError(error);
  }
  leave(0);
}

// --- mode: judge ------------------------------------------------------------------------------

// Yes-or-no methods of built-in types: on the result of a call a test wants such a type there.
const YES_OR_NO = new Set(['includes', 'startsWith', 'endsWith', 'every', 'some', 'has', 'test', 'hasOwnProperty', 'isPrototypeOf', 'equals']);

class Judge {
  constructor(job) {
    this.job = job;
    this.calls = this.checks = 0;
    this.failed = null;
    this.gone = false;
    this.exported = []; // functions of the test program that the solution has been given
    this.asked = new Set(); // and those that it has called
    this.remotes = new Map();
    this.numbers = new WeakMap();
    this.errors = new WeakMap();
    this.remoteErrors = new WeakSet();
    this.handle = (value) => {
      const number = this.numbers.get(value) ?? this.errors.get(value);
      if (number !== undefined) return { h: ['mine', number, ''] };
      if (util.types.isNativeError(value)) return { h: ['error', -1, String(value.name), String(value.message)] };
      if (typeof value !== 'function') throw new NotCarried(typeof value);
      this.exported.push(value);
      return { h: ['callback', this.exported.length - 1, ''] };
    };
  }

  standIn([kind, number, name, text], made) {
    if (kind === 'yours') return this.exported[number];
    if (kind === 'promise') return this.later(number);
    const known = this.remotes.get(number);
    if (known) return known;
    if (kind === 'error') {
      const remote = this.makeRemote('object', number, '', false), error = this.madeError(name, text, remote, number);
      this.remotes.set(number, error);
      this.numbers.set(remote, number);
      return error;
    }
    const remote = this.makeRemote(kind, number, name, made);
    this.remotes.set(number, remote);
    this.numbers.set(remote, number);
    return remote;
  }

  later(number) {
    const target = this.makeRemote('object', number, '', false);
    this.numbers.set(target, number);
    return new Promise((resolve, reject) => setImmediate(() => {
      try { resolve(this.do('await', target)); } catch (error) { reject(error); }
    }));
  }

  makeRemote(kind, number, name, made) {
    const judge = this;
    const callable = kind === 'callable' || kind === 'class';
    const target = callable ? function () {} : {};
    const fixed = callable ? ['prototype'] : [];
    const denied = (key) => typeof key === 'string' && YES_OR_NO.has(key) && !made;
    const self = new Proxy(target, {
      get(_, key) {
        if (key === Symbol.toPrimitive) return (hint) => (hint === 'string' ? judge.do('string', self) + '' : NaN);
        if (key === Symbol.asyncIterator) {
          return callable ? undefined : async function* () {
            const steps = judge.do('iterator', self);
            for (let step; !(step = await steps.next()).done;) yield step.value;
          };
        }
        if (key === Symbol.iterator) return callable ? undefined : function* () { yield* judge.do('iterate', self); };
        if (key === Symbol.hasInstance) return callable ? (value) => judge.isInstance(self, value) : undefined;
        if (typeof key === 'symbol' || denied(key) || key === 'then') return undefined;
        if (callable && key === 'name') return name;
        const value = judge.do('get', self, [key]);
        return typeof value === 'function' && !callable && key !== 'constructor' && judge.numbers.has(value) ? judge.bound(self, value) : value;
      },
      set(_, key, value) { judge.do('set', self, [String(key), value]); return true; },
      deleteProperty(_, key) { judge.do('delete', self, [String(key)]); return true; },
      has(_, key) { return fixed.includes(key) || (typeof key === 'string' && judge.do('has', self, [key]) === true); },
      ownKeys() { return [...new Set([...fixed, ...judge.do('keys', self).map(String)])]; },
      getOwnPropertyDescriptor(_, key) {
        if (fixed.includes(key)) return Reflect.getOwnPropertyDescriptor(target, key);
        if (typeof key !== 'string' || !judge.do('keys', self).includes(key)) return undefined;
        return { value: judge.do('get', self, [key]), writable: true, enumerable: true, configurable: true };
      },
      getPrototypeOf() {
        if (callable) return Function.prototype;
        const prototype = judge.do('proto', self);
        return prototype === 'Object' ? Object.prototype : prototype;
      },
      apply(_, __, values) { return judge.do('call', self, values); },
      construct(_, values) { return judge.do('construct', self, values); },
    });
    return self;
  }

  bound(owner, method) {
    return (...values) => this.do('callon', method, [owner, ...values]);
  }

  isInstance(type, value) {
    const carried = this.numbers.has(value) ? value : this.errors.has(value) ? value : null;
    return carried !== null && this.do('isinstance', type, [carried]) === true;
  }

  do(operation, target, values = []) {
    if (this.gone) throw new CandidateGone();
    this.calls++;
    let message;
    const made = operation === 'construct' || operation === 'name';
    const importHandle = (data) => (data[0] === 'argument' ? placed(values, data[1]) : this.standIn(data, made));
    try {
      linkSend(['do', operation, target, [...values]], this.handle);
      while ((message = linkReceive(importHandle))[0] === 'ask') this.serve(message);
    } catch (error) {
      if (error instanceof NotCarried) { this.notCarried = true; throw error; }
      this.gone = true;
      throw new CandidateGone();
    }
    const [outcome, first, text, value] = message;
    const [changed, lines] = outcome === 'ok' ? [message[2], message[3]] : [message[4], message[5]];
    for (const [at, now] of changed) refresh(values[at], now);
    for (const line of lines) console.log(String(line));
    if (outcome === 'ok') return first;
    throw this.rebuilt(outcome, first, text, value);
  }

  rebuilt(outcome, name, text, value) {
    if (outcome === 'throw') return value;
    const error = util.types.isNativeError(value) ? value : this.madeError(name, text, value, this.numbers.get(value));
    this.remoteErrors.add(error);
    this.lastRemote = { error: name, message: String(text).slice(0, 300) };
    return error;
  }

  // Let the solution's timers and promises go on; whether it has called back.
  letGoOn() {
    if (this.gone || this.exported.length === 0) return false;
    this.calls--;
    try { return this.do('idle', null) === true; } catch { return false; }
  }

  // An error of the solution's; what it has besides name and message is asked for when it is looked at.
  madeError(name, text, remote, number) {
    const judge = this, error = rebuiltError(name, text);
    if (number === undefined) return error;
    this.errors.set(error, number);
    const base = getPrototypeOf(error);
    const foreign = (target, key) => typeof key === 'string' && key !== 'then' && key !== 'toJSON' && !judge.gone
      && (!(key in target) || (key === 'constructor' && Object.prototype.hasOwnProperty.call(error, 'name')));
    Object.setPrototypeOf(error, new Proxy(Object.create(base), {
      get: (target, key, receiver) => (foreign(target, key) ? judge.do('get', remote, [key]) : Reflect.get(target, key, receiver)),
      has: (target, key) => key in target || (foreign(target, key) && judge.do('has', remote, [key]) === true),
    }));
    return error;
  }

  serve([, number, values]) {
    let reply;
    this.asked.add(number);
    try { reply = ['ok', this.exported[number](...values)]; } catch (error) {
      if (error instanceof assert.AssertionError && !this.failed) this.failed = this.blame(error); // whoever catches it there
      reply = ['err', String(error && error.name), String(error && error.message)];
    }
    linkSend(reply, this.handle);
  }

  report(found) {
    if (this.reported) return;
    this.reported = true;
    let report = found;
    if (this.gone) report = { outcome: 'gone' };
    else if (this.notCarried) report = { outcome: 'not_carried', error: '' };
    else if (report.outcome === 'passed' && this.failed) report = this.failed;
    else if (report.outcome === 'passed' && notThere) report = { outcome: 'missing_module', error: notThere }; // caught by the program
    else if (report.outcome === 'passed' && this.checks + this.calls === 0) report = { outcome: 'unchecked' };
    sendFrame(stringify({ ...report, checks: this.checks, calls: this.calls, number: this.job.number }));
    leave(0);
  }

  blame(error) {
    if (error instanceof ExitSignal) return error.code ? { outcome: 'wrong_output' } : { outcome: 'passed' };
    if (error && typeof error === 'object' && this.remoteErrors.has(error)) return { outcome: 'exception', error: String(error.name).slice(0, 100), message: String(error.message).slice(0, 300) };
    if (error instanceof Unsupported) return { outcome: 'missing_module', error: error.wanted };
    if (error && error.code === 'MODULE_NOT_FOUND') return { outcome: 'missing_module', error: String(error.wanted) };
    if (error instanceof assert.AssertionError) return { outcome: 'wrong_output' };
    return { outcome: 'exception', error: String(error && error.name).slice(0, 100), message: '' };
  }
}

class CandidateGone extends Error {}
class NotCarried extends Error {}

function refresh(old, now) {
  if (isArray(old) && isArray(now)) {
    const before = [...old];
    old.length = 0;
    now.forEach((value, index) => {
      const kept = before[index];
      if (CHANGEABLE(kept) && CHANGEABLE(value) && isArray(kept) === isArray(value)) { refresh(kept, value); old.push(kept); } else old.push(value);
    });
  } else if (util.types.isMap(old) && util.types.isMap(now)) {
    old.clear();
    now.forEach((value, key) => old.set(key, value));
  } else if (util.types.isSet(old) && util.types.isSet(now)) {
    old.clear();
    now.forEach((value) => old.add(value));
  } else if (old && now && typeof old === 'object' && typeof now === 'object') {
    for (const key of Object.keys(old)) if (!(key in now)) delete old[key];
    for (const key of Object.keys(now)) {
      if (CHANGEABLE(old[key]) && CHANGEABLE(now[key]) && isArray(old[key]) === isArray(now[key])) refresh(old[key], now[key]);
      else old[key] = now[key];
    }
  }
}

// console.assert does not throw, so it is noted; the assert module's checks are counted.
function armChecks(judge) {
  console.assert = (value) => { judge.checks++; if (!value && !judge.failed) judge.failed = judge.lastFailure || { outcome: 'wrong_output' }; };
  const counted = (own) => {
    const wrapped = function (...values) { judge.checks++; return apply(own, this, values); };
    for (const key of Object.keys(own)) {
      wrapped[key] = typeof own[key] === 'function' && key !== 'AssertionError' && key !== 'strict' ? function (...values) { judge.checks++; return apply(own[key], own, values); } : own[key];
    }
    return wrapped;
  };
  const wrapped = counted(assert);
  wrapped.strict = counted(assert.strict);
  return wrapped;
}

function runJudge(job) {
  const judge = new Judge(job);
  try {
    if (linkReceive(() => undefined)[0] !== 'ready') throw new LinkLost();
  } catch { return judge.report({ outcome: 'gone' }), judge.gone = true; }
  const found = new Map();
  const named = (name) => {
    if (!found.has(name)) {
      const answer = judge.do('name', null, [name]);
      judge.calls--;
      found.set(name, answer[0] === true ? { value: answer[1] } : null);
    }
    return found.get(name);
  };
  const entry = job.entry_point;
  const lookFor = (name) => named(name) || (name === 'candidate' && entry ? named(entry) : null);
  runTestProgram(judge, job, lookFor);
}

function runTestProgram(judge, job, lookFor) {
  assert = realRequire('assert');
  const check = armChecks(judge);
  const runner = armRunner(judge, check);
  const solution = new Proxy({}, {
    get: (_, key) => { const hit = typeof key === 'string' && key !== 'then' ? lookFor(key) : null; return hit ? hit.value : undefined; },
    has: (_, key) => typeof key === 'string' && lookFor(key) !== null,
  });
  const required = () => {
    const whole = lookFor(WHOLE);
    if (!whole) return solution;
    const callable = new Proxy(whole.value, {
      get(target, key) {
        const value = target[key];
        if (value !== undefined || typeof key !== 'string' || key === 'then') return value;
        return key === 'default' ? whole.value : solution[key];
      },
    });
    if (judge.numbers.has(whole.value)) judge.numbers.set(callable, judge.numbers.get(whole.value));
    return callable;
  };
  const own = (name) => {
    const bare = String(name).replace(/^node:/, '');
    if (bare === 'assert') return check;
    if (bare === 'assert/strict') return check.strict;
    const module = runner.modules[bare === 'test' ? 'node:test' : bare];
    if (module) return module();
    if (Module.builtinModules.includes(bare)) return realRequire(bare);
    if (/^\.{0,2}\/|^(solution|main|index|candidate|answer|submission|program)(\.m?js)?$/.test(bare)) return required();
    const error = new Error('no such module');
    error.code = 'MODULE_NOT_FOUND';
    error.wanted = bare;
    throw error;
  };
  const module = { exports: {} };
  const given = Object.assign(runner.scope, { require: own, module, exports: module.exports, __filename: 'test.js', __dirname: '/' });
  // Names that neither the test program nor node defines are looked up in the solution, before rarer ones of test runners.
  const found = (key) => (key in runner.rare ? lookFor(`=${key}`) || { value: runner.rare[key] } : lookFor(key));
  const world = new Proxy(given, {
    has: (_, key) => typeof key === 'string' && (key in given || (!(key in globalThis) && found(key) !== null)),
    get: (_, key) => (key === Symbol.unscopables ? undefined : key in given ? given[key] : found(key).value),
    set: (_, key, value) => { given[key] = value; return true; },
  });
  const fail = (error) => { if (!judge.failed) { judge.failed = judge.blame(error); if (judge.failed.outcome === 'passed') judge.failed = null; } if (error instanceof ExitSignal) judge.report({ outcome: 'passed' }); };
  realProcess.on('uncaughtException', fail);
  realProcess.on('unhandledRejection', fail);
  realProcess.exit = (code) => { throw new ExitSignal(code || 0); };
  const pending = new Set();
  if (/\basync\b|\bPromise\b|\bthen\b/.test(job.test_code)) unwatch = realRequire('v8').promiseHooks.createHook({ init: (promise) => { pending.add(promise); }, settled: (promise) => { pending.delete(promise); } });
  let reached = false; // the end of the program's own text
  // Whether the program waits for what never comes: a callback or a promise of the solution's that it goes on with.
  const stuck = () => {
    const uncalled = judge.exported.some((_, number) => !judge.asked.has(number));
    const unchecked = judge.checks === 0 && /\b(?:assert|expect)\b/.test(job.test_code) && !/\.fail\(/.test(job.test_code);
    return !reached || runner.state.running || (pending.size > 0 && (uncalled || unchecked)) || (uncalled && unchecked);
  };
  realProcess.on('beforeExit', () => {
    if (!judge.failed && !runner.state.running && runner.waiting()) {
      runner.run().catch(fail);
      realImmediate(() => {}); // or node would not come here again
    } else if (!judge.failed && judge.letGoOn()) {
      realImmediate(() => {});
    } else {
      if (!judge.failed && stuck()) judge.failed = { outcome: 'wrong_output' };
      judge.report({ outcome: 'passed' });
    }
  });
  const body = asScript(job.test_code);
  let program;
  for (const form of [`with (world) { (() => {\n${body}\n})() }`, `with (world) { return (async () => {\n${body}\n})() }`]) {
    try { program = new Function('world', form); break; } catch { /* the next form */ }
  }
  if (!program) return judge.report({ outcome: 'broken', error: 'SyntaxError' });
  try {
    Promise.resolve(program(world)).then(() => { reached = true; }).catch(fail);
  } catch (error) {
    fail(error);
  }
}

let unwatch = () => {};

// --- mode: shared -------------------------------------------------------------------------------

function runShared(job) {
  const failed = loadSolution(job.source);
  if (failed) { sendFrame(stringify({ ...failed, loading: true })); return leave(1); }
  const size = readExactly(0, 4).readUInt32BE(0);
  const test = parse(readExactly(0, size).toString('utf8'));
  const judge = new Judge(test);
  const lookFor = (name) => {
    const value = lookUp(name === 'candidate' && test.entry_point ? test.entry_point : name);
    return value === undefined ? null : { value };
  };
  runTestProgram(judge, test, lookFor);
}

// --- warming up ---------------------------------------------------------------------------------

// A worker that is to be forked first does once what its forks will do, so that node's modules are loaded and the code
// is compiled. It writes to /dev/null; what the other side of the link says is canned. Nothing of it may stay behind.
const WARM_MODULES = ['assert', 'assert/strict', 'crypto', 'fs/promises', 'net', 'os', 'path', 'perf_hooks', 'readline',
  'readline/promises', 'stream/promises', 'string_decoder', 'timers/promises', 'tty', 'url', 'worker_threads'];
const WARM_SOLUTION = 'module.exports = { f: (x) => { if (x === 0) throw new RangeError("zero"); return [x, { a: `${x}` }, new Map([[1, 2]])]; } };';
const WARM_TEST = `
const assert = require('assert');
const t = () => { console.assert(f(2) === 4); assert.strictEqual(f(3), 9); assert.deepStrictEqual(f([1]), [{ a: 'b' }]); };
t();
try { assert.deepEqual(f(1), [[2]]); } catch (e) { e.message; }
assert.throws(() => f(0), RangeError);
assert.ok(f(1));`;
const WARM_PROGRAM = `
const fs = require('fs');
const lines = fs.readFileSync(0, 'utf8').trim().split('\\n').map(Number);
console.log(lines[0], [1, 'a', { b: 2n }], new Map([[1, new Set([2])]]), 1.5, null, 'text');
process.stdout.write(String(lines.reduce((a, b) => a + b, 0)));
const rl = require('readline').createInterface({ input: process.stdin });
rl.on('line', (line) => console.log(line));`;

function warmUp() {
  for (const name of WARM_MODULES) realRequire(name);
  const kept = { ...realConsole }, { exit: realExit } = realProcess, { module, exports, require } = globalThis;
  const ok = (value) => stringify(['ok', value, [], []]);
  canned = ['["do","name",null,["f"]]', '["do","call",{"h":["mine",0]},[[3,1],"a",{"d":["k",1]}]]', '["do","call",{"h":["mine",0]},[0]]', '["do","get",{"h":["mine",0]},["name"]]'];
  runCandidate({ source: WARM_SOLUTION });
  canned = ['["ready"]', ok([true, { h: ['callable', 0, 'f'] }]), ok(4), ok(9), ok([{ d: ['a', 'b'] }]), ok([[1]]), '["err","RangeError","zero",null,[],[]]', ok(true)];
  runJudge({ test_code: WARM_TEST, entry_point: 'f', number: 0 });
  runCases({ source: WARM_SOLUTION, cases: [['f', BufferFrom('[[1],{"d":[]}]').toString('base64')]] });
  const world = makeWorld(BufferFrom('1\n2\n'), { chunks: [], size: 0 }, 1 << 20);
  compileProgram(WARM_PROGRAM).run.call(globalThis, {}, world.require, { exports: {} }, FILE_NAME, '/');
  describe_(new Error('x'));
  return () => {
    unwatch();
    for (const event of ['uncaughtException', 'unhandledRejection', 'beforeExit']) realProcess.removeAllListeners(event);
    Object.assign(globalThis, { module, exports, require });
    Object.assign(realConsole, kept);
    globalThis.process = realProcess;
    globalThis.console = realConsole;
    realProcess.exit = realExit;
    canned = null;
  };
}

// --- start ------------------------------------------------------------------------------------

const MODES = { cases: runCases, script: runScript, scripts: runScripts, candidate: runCandidate, judge: runJudge, shared: runShared };

function serve() {
  const head = alloc(20); // a fork is told its process id in the last four bytes, for node believes to know its own
  if (readExactly(0, 16, head) === null) exit(0);
  const pid = head.readUInt32LE(16);
  if (pid) Object.defineProperty(realProcess, 'pid', { value: pid, configurable: true, enumerable: true });
  const job = parse(readExactly(0, head.readUInt32BE(12)).toString('utf8'));
  realProcess.env.HOME = realProcess.env.TMPDIR = realProcess.cwd();
  sendFrame('');
  // Out of this function's own frame, so that errors don't show it.
  setImmediate(() => MODES[job.mode](job));
}

// A warm worker is forked while it waits for its job: each fork goes on from there, with descriptors of its own.
if (started === 'warm') {
  const cool = warmUp();
  setTimeout(() => {
    cool();
    realRequire('v8').setFlagsFromString('--expose-gc');
    vm.runInNewContext('gc')();
    realRequire('v8').setFlagsFromString('--no-expose-gc');
    // node comes here when its other threads have nothing left to do.
    realProcess.once('beforeExit', () => { writeSync(0, 'w'); serve(); });
  }, 10);
} else {
  serve();
}
