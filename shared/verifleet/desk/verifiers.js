// The verifiers.
export function verifiers() {}
