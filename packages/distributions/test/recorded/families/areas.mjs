// @ts-check
import { createHash } from 'node:crypto'

/**
 * Block of a model's answer: text, or the call of a tool.
 * @typedef {{ type: string, text?: string, name?: string, input?: Readonly<Record<string, unknown>> }} Block
 */

/**
 * A prompt, and what the model answers to it before it ends the turn: one list of blocks for each of its requests.
 * With `rows`, each of these names is a case: how the skill is listed. With `order`, the whole listing is one. With
 * `calls`, the model calls the tool with each of these skills. With `news`, the answer has the rows of which the model is
 * told meanwhile. With `hooked` the case is what became of each call, and which of the words CTX and WHY of a hook
 * reached the model. `fork` is what the model of a fork answers. With `restored`, the case is what the model is given
 * again after the conversation was shortened. A `silent` step is no case. With `cut`, the case is the whole listing, with runs
 * of one character as their lengths.
 * @typedef {{ prompt: string, turns?: readonly (readonly Block[])[], rows?: readonly string[], calls?: readonly string[], order?: true, cut?: true, news?: true, hooked?: boolean, restored?: boolean, silent?: boolean, fork?: readonly (readonly Block[])[] }} Step
 */

/**
 * Many cases that a program is asked in one tree and one process: each step is a case, or several. Paths begin with `project/` or
 * `home/`; `<ROOT>` in texts, arguments and variables is the folder that holds both.
 * @typedef {object} Batch
 * @property {Readonly<Record<string, string | { readonly link: string }>>} files
 * @property {readonly Step[]} steps
 * @property {readonly string[]} [args] options of the program's command line
 * @property {Readonly<Record<string, string>>} [env]
 * @property {string} [cwd]
 */

/**
 * Family of generated cases about one subject.
 * @typedef {object} Area
 * @property {(random: import('./random.mjs').Random) => readonly Batch[]} batches makes the same cases for the same
 * seed
 * @property {readonly (readonly [is: (asked: Asked) => boolean, reason: string])[]} [narrower] why our distribution
 * deliberately answers something else
 * @property {number} [unlike] answers that differ without such a reason, which the reference page describes; none by
 * default
 */

/**
 * Case with both answers.
 * @typedef {{ step: Step, file: string, theirs: string, ours: string }} Asked
 */

/** Returns a short digest of cases: recorded answers belong to exactly these. @param {readonly Batch[]} batches */
export const digestOf = batches => createHash('sha256').update(JSON.stringify(batches)).digest('hex').slice(0, 16)
