// @ts-check
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * How a program is told of the server, and asked once.
 * @typedef {object} Client
 * @property {string} tool the end of the name that it gives the tool
 * @property {(home: string, cwd: string, args: readonly string[]) => readonly [file: string, content: string]} settings
 * @property {(settings: string) => readonly string[]} ask
 * @property {Readonly<Record<string, string>>} [variables]
 */

/**
 * What a program says of one tree. A program that prints no paths, or no descriptions, gives none.
 * @typedef {{ name: string, description?: string, path?: string }} Found
 * @typedef {import('./isolated.mjs').Place} Place
 * @typedef {import('../../packages/distributions/test/recorded/told.mjs').Listed} Listed
 * @typedef {{ listed: readonly Listed[], room?: { window: number, length: number } }} Told in the order that they stand
 * in, and of a listing that has to find room the tokens of the model's window and the characters that it takes
 * @typedef {object} Program
 * @property {string} packageName of npm, where its binary comes from
 * @property {import('../../packages/distributions/test/recorded/trees.mjs').Folders} folders that it reads for certain
 * @property {readonly string[]} bin where the binary is below `node_modules`
 * @property {(home: string) => void} [prepare] settings without which it would look at nothing
 * @property {(place: Place) => Promise<readonly Found[]>} list
 * @property {(place: Place) => Promise<Told>} [told] of which skills it tells its model
 * @property {readonly string[]} [unfixed] trees of which it does not always list the same skill of that name
 * @property {Client} [mcp] how it calls a tool of a server
 * @property {boolean} [sorted] whether what is told is sorted, where the order of the program is not fixed
 */

const folder = new URL('../../packages/distributions/test/recorded/programs/', import.meta.url)

/** By the name of the distribution that does as it does. @type {Readonly<Record<string, Program>>} */
export const programs = Object.fromEntries(
  await Promise.all(
    readdirSync(fileURLToPath(folder)).map(async file => {
      /** @type {{ program: Program }} */
      const { program } = await import(new URL(file, folder).href)
      return [file.replace(/\.mjs$/, ''), program]
    }),
  ),
)
