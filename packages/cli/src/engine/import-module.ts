/**
 * Loads an ES module by its address. In what is published the file is replaced by one of its own: see build.mjs.
 */
export const importModule = (url: string): Promise<unknown> => import(url)
