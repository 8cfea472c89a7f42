// @ts-check

// Reads the output of pnpm and turbo: a figure of how far they are, and the lines worth showing when they failed.

/**
 * @typedef {(line: string) => string | undefined} Progress returns the figure after a line; undefined while there is
 * none
 */

/** Counts the packages that are installed. @returns {Progress} */
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
 * Counts the packages that are built, or being built.
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
 * Returns the lines of turbo's output about the packages that failed; all of it where it does not say which failed.
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
