// @ts-check

/**
 * Options of the search of the site. The browser gets the functions as text, so they use nothing outside of themselves.
 * @type {{ options: { processTerm: (term: string) => string }, searchOptions: { fuzzy: (term: string) => number | false, prefix: boolean, boost: Record<string, number>, boostDocument: (id: string) => number } }}
 */
export const miniSearch = {
  options: {
    // "showing" finds "show": people search with the word that they say.
    processTerm: term => term.toLowerCase().replace(/(?<=.{3})(?:ing|ed|es|s)$/, ''),
  },
  searchOptions: {
    fuzzy: term => (term.length > 4 ? 0.2 : false),
    prefix: true,
    boost: { title: 4, text: 2, titles: 1 },
    // A person who searches has a task; an entry of the API is found by its name all the same.
    boostDocument: id => {
      if (/\/guides\//.test(id)) return 6
      if (/\/tutorials\//.test(id)) return 5
      return /\/api\//.test(id) ? 0.2 : 1
    },
  },
}
