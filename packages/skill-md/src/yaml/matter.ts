/** gray-matter under a name of its own: bundlers disagree on what the default export of a CommonJS module is. */
export { default as matter } from 'gray-matter'
