/** The one error that the sandbox raises on purpose. */

/** Something that the user can act upon: its message says what was tried and what was found. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
}

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
