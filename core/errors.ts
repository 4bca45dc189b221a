/** Every error that the project raises on purpose: its code, its class by how it is handled, its exit status. */

/** Errors that end the command: one message for the user, no stack. The number is the exit status. */
const exitStatus = {
  USAGE: 2,
  CONFIGURATION: 2,
  EXCEPTIONS: 2,
  KUBECONFIG: 2,
  UNREADABLE_INPUT: 2,
  UNWRITABLE_OUTPUT: 2,
} as const;

export type ErrorCode = keyof typeof exitStatus;
export const errorCodes = Object.keys(exitStatus) as readonly ErrorCode[];

/** An error that the user can do something about: printed as one message, without a stack. */
export class KnownError extends Error {
  override readonly name = 'KnownError';
  readonly code: ErrorCode;
  readonly exitStatus: number;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.exitStatus = exitStatus[code];
  }
}

/**
 * Why data is missing. A closed list: it is shown in reports and compared over runs.
 * `partial`: a list that was cut short, or of which only some objects were recorded.
 */
export const errorCauses = [
  'forbidden',
  'timeout',
  'throttled',
  'expired',
  'not collected',
  'partial',
  'malformed',
  'unavailable',
  'exception',
] as const;
export type ErrorCause = (typeof errorCauses)[number];

/** Data that could not be had: costs the results that need it, and only those. */
export class MissingError extends Error {
  override readonly name = 'MissingError';
  readonly missing: ErrorCause;

  constructor(missing: ErrorCause, message: string, options?: ErrorOptions) {
    super(message, options);
    this.missing = missing;
  }
}

/** An object that is not what the API says it is: costs the results that read its namespace. */
export class MalformedError extends Error {
  override readonly name = 'MalformedError';

  constructor(path: string, expected: string, found: unknown) {
    super(`${path}: expected ${expected}, found ${describe(found)}`);
  }
}

/** What was found where something else was expected, never with its whole content. */
export function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  switch (typeof value) {
    case 'string':
      return value.length > 40 ? `"${value.slice(0, 40)}…"` : JSON.stringify(value);
    case 'object':
      return 'a map';
    case 'undefined':
      return 'nothing';
    default:
      return String(value);
  }
}
