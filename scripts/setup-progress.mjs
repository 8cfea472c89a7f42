// @ts-check

// What pnpm and turbo write while they work, as a figure of how far they are, and as what is worth showing once they
// failed.

/**
 * @typedef {(line: string) => string | undefined} Progress gives the figure after a line; undefined while there is none
 */

/** How many packages are installed. @returns {Progress} */
export function installProgress() {
  let total = 0
  let done = 0
  return line => {
    total = Number(/^Packages: \+(\d+)/.exec(line)?.[1] ?? total)
    done = Number(/^Progress: .*\badded (\d+)/.exec(line)?.[1] ?? done)
    return done === 0 ? undefined : total < done ? `${done}` : `${done} of ${total}`
  }
}

/**
 * How many packages are built, or being built.
 * @param {number} total
 * @returns {Progress}
 */
export function buildProgress(total) {
  const begun = new Set()
  return line => {
    const [, name] = /^(\S+):build: cache (?:hit|miss|bypass)/.exec(line) ?? []
    if (name !== undefined) begun.add(name)
    return begun.size === 0 ? undefined : `${begun.size} of ${total}`
  }
}

/**
 * What of turbo's output is about the packages that failed, where it says which; else all.
 * @param {string} output
 */
export function failuresIn(output) {
  const failed = [...output.matchAll(/^\s*Failed:\s+(.*)$/gm)]
    .flatMap(([, names = '']) => names.split(/,\s*/))
    .map(name => name.trim().replace('#', ':'))
  const lines = output.split('\n').filter(line => {
    const [, task] = /^(\S+:build): /.exec(line) ?? []
    return task === undefined || failed.includes(task)
  })
  return failed.length === 0 ? output : lines.join('\n')
}
