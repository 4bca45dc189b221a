/** What a command of the command line is. */

/** Takes its own arguments, gives the exit status; throws KnownError where it cannot do its job. */
export type Command = (args: readonly string[]) => Promise<number>;
