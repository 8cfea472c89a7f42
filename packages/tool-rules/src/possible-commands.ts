/** Words after which another command may stand. */
const runners = new Set([
  'sudo', 'doas', 'env', 'exec', 'eval', 'command', 'builtin', 'noglob', 'nice', 'ionice', 'nohup', 'time', 'timeout', 'stdbuf', 'setsid', 'xargs', 'parallel', 'find',
  'watch', 'busybox', 'sh', 'bash', 'dash', 'zsh', 'ksh', 'fish', 'pwsh', 'powershell', 'cmd', 'su', 'runuser', 'chroot', 'unshare', 'flock', 'strace', 'ssh', 'source', '.',
  'invoke-expression', 'iex', 'start-process', 'trap', 'coproc', 'function',
])
const reserved = new Set(['if', 'then', 'else', 'elif', 'do', 'while', 'until', 'for', 'case', 'in', '!', '[[', '[', 'select'])

/** No rule has that many words; a longer one would have to be the whole script. */
const mostWords = 32

/**
 * Every command that a script may run, in small letters, as far as its text shows: what rules that forbid are held against.
 * It finds too many rather than too few, and cannot find what a script puts together while it runs.
 */
export function possibleCommands(script: string, values: Readonly<Record<string, string>> = {}): readonly string[] {
  // A whole name at a time: one may begin as another does. A value is put in as it is and not looked into.
  const valueOf = new Map(Object.entries(values))
  const filled = script.replace(/\$\{(?:env:)?(\w+)\}|\$env:(\w+)/gi, (written, braced?: string, plain?: string) => valueOf.get(braced ?? plain ?? '') ?? written)
  const found = new Set<string>([foldedLine(script)])
  const pieces = new Set<string>()
  for (const text of new Set([script, filled])) {
    const joined = text.replace(/[\\`^]\r?\n/g, '')
    for (const version of new Set([joined, joined.replace(/\$?["']|[\\^]/g, ''), joined.replace(/\$?["']|[\\^`]/g, '')])) {
      for (const piece of version.match(/[^;&|()`{}\r\n]+/g) ?? []) pieces.add(piece)
    }
  }
  for (const piece of pieces) addStarts(found, foldedLine(piece.replace(/[<>]/g, ' ')).split(' '), /[<>]/.test(piece))
  return [...found]
}

/** @param mayStartAnywhere whether something stands there that a command may follow in any place, as the file of a redirection */
function addStarts(found: Set<string>, words: readonly string[], mayStartAnywhere: boolean): void {
  let isOpen = mayStartAnywhere
  for (const [at, word] of words.entries()) {
    if (word === '') continue
    const rest = words.slice(at, at + mostWords).join(' ')
    found.add(rest)
    const base = word.slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1)
    // Whatever path leads to it, it is the same program.
    for (const name of new Set([base, base.replace(/\.(?:exe|cmd|bat|ps1)$/, '')])) if (name !== word && name !== '') found.add(name + rest.slice(word.length))
    // The value of an assignment may hold spaces, and its quotes are gone.
    isOpen ||= runners.has(base) || /^[a-z_][a-z0-9_]*\+?=/.test(word)
    if (!isOpen && !reserved.has(word)) return
  }
}

function foldedLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ').toLowerCase()
}
