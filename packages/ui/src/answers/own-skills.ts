/** True if a person put a skill of this source here; the program brings the others along. */
export const isOwn = (source: string | undefined | null): boolean => source !== 'bundled' && source !== 'builtin'
