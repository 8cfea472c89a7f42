/** Returns the message of an error for the person. */
export const sentence = (error: unknown): string => (error instanceof Error ? error.message : String(error))
