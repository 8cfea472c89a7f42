import { statSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { isInside, realPathOf, slashes } from '@skills/files/internal'
import { allOnes } from '@skills/inspect/internal'
import { again } from '../../engine/again.js'
import { printableLine } from '../../output/printable.js'
import { shownPath } from '../../output/shown-path.js'
import type { Catalog } from '@skills/core'
import type { Invocation } from '../../arguments/invocation.js'
import type { Io } from '../../io.js'

/**
 * Returns the file that was given in place of a name, absolute: the file itself, or the SKILL.md of a folder. Returns
 * undefined for a name, or for a path without such a file.
 */
export function fileToExplain({ args: [given = ''] }: Invocation, { cwd }: Io): string | undefined {
  if (!given.includes('/') && !given.includes(sep) && !given.endsWith('.md')) return undefined
  const path = resolve(cwd, given)
  const file = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? join(path, 'SKILL.md') : path
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true ? slashes(file) : undefined
}

/** Returns the name of the skill that is loaded from a file, or undefined if there is none. */
export function nameOfFile(file: string, catalog: Catalog): string | undefined {
  const real = realPathOf(file)
  return allOnes(catalog).find(({ path }) => path !== undefined && realPathOf(path) === real)?.name
}

/** Returns a sentence that says why no skill is loaded from a file, and how to change that. */
export function whyNotLoaded(file: string, { places }: Catalog, invocation: Invocation, io: Io): string {
  const { cwd } = io
  const what = `No skill is loaded from ${shownPath(file, cwd)}`
  const looked = [...new Set(places.filter(({ path, provider }) => path !== provider).map(({ path }) => path))]
  const around = looked.find(path => isInside(file, path))
  if (around !== undefined)
    return `${what}. It lies in ${shownPath(around, cwd)}, where a skill is a folder with a SKILL.md in it: ${shownPath(`${around}/NAME/SKILL.md`, cwd)}.`
  const nearest = looked.toSorted((a, b) => sharedParts(b, file) - sharedParts(a, file))[0]
  const near =
    nearest === undefined
      ? ''
      : ` The nearest folder that is searched is ${shownPath(nearest, cwd)}: move the skill's folder there.`
  if (basename(file) !== 'SKILL.md')
    return `${what}: it is not called SKILL.md, and no source searches its folder.${near}`
  const line = again(
    'list',
    { ...invocation, pluginDirs: [...invocation.pluginDirs, shownPath(dirname(file), cwd)] },
    io,
  )
  return `${what}: no source searches its folder.${near} To load it from where it is, for one command: ${printableLine(line)}`
}

/** Returns how many folders two paths share, counted from the root. */
function sharedParts(a: string, b: string): number {
  const [one, other] = [a.split('/'), b.split('/')]
  const differs = one.findIndex((part, at) => part !== other[at])
  return differs === -1 ? one.length : differs
}
