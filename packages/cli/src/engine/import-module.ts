/** Imports an ES module by URL. The build replaces this file by an ES module; see build.mjs. */
export const importModule = (url: string): Promise<unknown> => import(url)
