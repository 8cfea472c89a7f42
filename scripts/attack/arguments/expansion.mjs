// @ts-check
import { promptCommand } from '@skills/core'
import { shellExpander } from '@skills/expansion/shell'
import { textExpander } from '@skills/expansion/text'
import { expand } from '@skills/expansion'
import { fakeHost } from '@skills/testing'

/** @typedef {import('./bash-batch.mjs').Call} Call */

/** Expands embedded commands without an engine around it, and without running any. */
export class Expansion {
  #expanders
  #host = fakeHost({ cwd: '/' })

  constructor() {
    this.#expanders = Promise.all(
      [textExpander(), shellExpander()].map(async provider => ({
        id: provider.id,
        value: await provider.setup(this.#setup()),
      })),
    )
  }

  /**
   * @param {readonly string[]} scripts @param {string} args
   * @returns {Promise<readonly (Call | undefined)[]>} the command that each script would run; undefined if it is
   * refused
   */
  async calls(scripts, args) {
    /** @type {(Call | undefined)[]} */
    const calls = []
    const signal = new AbortController().signal
    const command = promptCommand({
      name: 'x',
      source: 'user',
      argumentNames: ['x', 'item'],
      load: () => ({ template: '' }),
    })
    const context = {
      command,
      args,
      trust: /** @type {const} */ ('trusted'),
      host: this.#host,
      signal,
      forbids: async () => undefined,
      progress: () => {},
      authorize: async (
        /** @type {Pick<import('@skills/rules').PermissionRequest, 'content' | 'values'>} */ request,
      ) => {
        calls.splice(-1, 1, { script: request.content, values: request.values ?? {} })
        return /** @type {const} */ ({ behavior: 'deny', message: 'No.', decisionReason: { type: 'default' } })
      },
    }
    for (const script of scripts) {
      calls.push(undefined)
      await expand(`\`\`\`\`\`\`!\n${script}\n\`\`\`\`\`\``, await this.#expanders, context)
    }
    return calls
  }

  #setup() {
    const unused = () => {
      throw new Error('The expanders have no use for this.')
    }
    return {
      signal: new AbortController().signal,
      host: this.#host,
      report: unused,
      hook: unused,
      use: unused,
      invalidate: unused,
      effect: async () => {},
    }
  }
}
