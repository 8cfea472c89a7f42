import type { Diagnostic } from '@skills/core'

// Problems of a walk over folders, each with a sentence and what to do. See docs/reference/skill-files.md, "Finding
// skill files".

const almostCodes: ReadonlySet<string> = new Set([
  'near-miss',
  'flat-skill',
  'json-skill',
  'text-link',
  'skill-at-root',
])

/** True for the problem of a file or a folder that was meant as a skill and is not read. */
export function isAlmostSkill({ code }: Pick<Diagnostic, 'code'>): boolean {
  return almostCodes.has(code)
}

type Kind = readonly [severity: Diagnostic['severity'], type: Diagnostic['type'], code: string]

function problem([severity, type, code]: Kind, path: string, message: string, hint: string): Diagnostic {
  return { severity, type, code, path, message, hint }
}

export function notAFile(path: string, kind: string): Diagnostic {
  return problem(
    ['error', 'io', 'not-a-file'],
    path,
    `${path} is ${kind}, not a file.`,
    'Put a regular file of that name in its place.',
  )
}

/**
 * Makes the problem of a file that is too large.
 * @param size bytes of the file
 * @param most bytes that the file may have
 */
export function fileTooLarge(path: string, size: number, most: number): Diagnostic {
  return problem(
    ['error', 'validation', 'file-too-large'],
    path,
    `${path} has ${size} bytes; a skill file may have at most ${most}.`,
    'Move details that are seldom needed into files beside SKILL.md.',
  )
}

export function unopenableName(path: string): Diagnostic {
  const message = `The folder ${path} cannot be opened: its name is not UTF-8.`
  return problem(['error', 'io', 'unreadable'], path, message, 'Rename the folder.')
}

export function skillAtRoot(path: string): Diagnostic {
  return problem(
    ['warning', 'validation', 'skill-at-root'],
    path,
    `${path} is directly in the skills folder, so it is not loaded.`,
    'Move the file into a folder that has the name of the skill.',
  )
}

/** Makes the problem of a `skill.md` that the walk found instead of a `SKILL.md`. */
export function otherCase(name: string, path: string, isLoaded: boolean): Diagnostic {
  return {
    severity: 'warning',
    type: 'validation',
    code: isLoaded ? 'other-case' : 'near-miss',
    name,
    path,
    message: isLoaded
      ? `${path} is loaded although its name should be SKILL.md.`
      : `${path} is not loaded: the file must be called SKILL.md.`,
    hint: 'Rename the file to SKILL.md: other tools look only for SKILL.md, and on some file systems the name in another case is a different file.',
  }
}

/** Makes the problem of a file that would be a command of its own if its ending were in lower case. */
export function otherEnding(path: string): Diagnostic {
  return problem(
    ['warning', 'validation', 'near-miss'],
    path,
    `${path} is not loaded: its name must end in .md, in small letters.`,
    'Rename the file: other tools look only for .md.',
  )
}

export function linkCycle(path: string, realPath: string): Diagnostic {
  const message = `The link ${path} is not followed: it leads back to ${realPath}, the folder that contains the link.`
  return problem(['warning', 'traversal', 'link-cycle'], path, message, 'Remove the link.')
}

export function linkAgain(path: string, realPath: string): Diagnostic {
  const message = `The link ${path} is not followed: another link already leads to ${realPath}.`
  return problem(['warning', 'traversal', 'link-again'], path, message, 'Remove one of the links.')
}

export function notSearched(path: string, what: string): Diagnostic {
  return problem(
    ['warning', 'io', 'not-searched'],
    path,
    `${path} is ${what}, so it is not searched for skills.`,
    'If the folder holds skills, name the folder as a source of its own.',
  )
}
