/**
 * Loads an ES module by its address. In what is published the file is replaced by one of its own: see tsup.config.ts.
 */
export const importModule = (url: string): Promise<unknown> => import(url)
