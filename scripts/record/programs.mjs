// @ts-check
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * How a program is configured with the server, and asked once.
 * @typedef {object} Client
 * @property {string} tool the end of the name under which it knows the tool
 * @property {(home: string, cwd: string, args: readonly string[]) => readonly [file: string, content: string]} settings
 * @property {(settings: string) => readonly string[]} ask
 * @property {Readonly<Record<string, string>>} [variables]
 */

/**
 * A skill that a program found in a tree; without path or description where the program prints none. `isOff` is true if
 * its settings keep the skill from models.
 * @typedef {{ name: string, description?: string, path?: string, isOff?: boolean }} Found
 * @typedef {import('./isolated.mjs').Place} Place
 * @typedef {import('../../packages/distributions/test/recorded/told.mjs').Listed} Listed
 * @typedef {{ listed: readonly Listed[], room?: { window: number, length: number } }} Told in the order that they stand
 * in, and of a listing that has to find room the tokens of the model's window and the characters that it takes
 * @typedef {object} Program
 * @property {string} packageName the npm package that its binary comes from
 * @property {import('../../packages/distributions/test/recorded/trees.mjs').Folders} folders those that it reads for
 * certain
 * @property {readonly string[]} [places] further folders of skills that no other program is asked about
 * @property {readonly string[]} bin the path of the binary below `node_modules`
 * @property {(home: string) => void} [prepare] writes settings without which it would read no skills
 * @property {(place: Place) => Promise<readonly Found[]>} list
 * @property {(place: Place) => Promise<Told>} [told] the skills that it tells its model of
 * @property {(place: Place, names: readonly string[]) => Promise<readonly string[]>} [called] what its model's calls of the
 * tool for skills do, in the words of `families/called.mjs`
 * @property {boolean} [tellsLines] true if `told` has only the first line of a description with several
 * @property {readonly string[]} [unfixed] trees in which it does not always list the same skill of a name
 * @property {Client} [mcp] how it calls a tool of a server
 * @property {boolean} [sorted] true if `told` is sorted, since the program's own order is not fixed
 */

const folder = new URL('../../packages/distributions/test/recorded/programs/', import.meta.url)

/** The programs, by the name of the distribution that imitates each. @type {Readonly<Record<string, Program>>} */
export const programs = Object.fromEntries(
  await Promise.all(
    readdirSync(fileURLToPath(folder)).map(async file => {
      /** @type {{ program: Program }} */
      const { program } = await import(new URL(file, folder).href)
      return [file.replace(/\.mjs$/, ''), program]
    }),
  ),
)
