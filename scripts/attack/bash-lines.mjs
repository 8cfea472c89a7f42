// @ts-check
import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'

/** The command that starts bash without any right, as an unprivileged user where that can be had. */
export function bashCommand() {
  const isRoot = process.getuid?.() === 0 && spawnSync('setpriv', ['--version']).status === 0
  return [...(isRoot ? [pathOf('setpriv'), '--reuid=65534', '--regid=65534', '--clear-groups'] : []), pathOf('bash')]
}

/**
 * Runs lines that each print one line when done, in one process of bash with a closed environment.
 * @param {readonly string[]} lines
 * @param {{ readonly file: string, readonly cwd: string, readonly path: string, readonly limitMs: number }} options
 * @returns {Promise<string[]>} what was printed: fewer lines where one took longer than `limitMs` and all was ended
 */
export function runLines(lines, { file, cwd, path, limitMs }) {
  writeFileSync(file, `ulimit -t 2 -f 1000 -c 0\nFUNCNEST=3\n${lines.join('\n')}\n`)
  const [program = '', ...args] = [...bashCommand(), '--noprofile', '--norc', file]
  return new Promise((resolve, reject) => {
    let printed = ''
    const child = spawn(program, args, {
      cwd,
      env: { PATH: path, HOME: cwd },
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    })
    const end = () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      } catch {
        // Nothing of it is left.
      }
    }
    let timer = setTimeout(end, limitMs)
    child.stdout.setEncoding('utf8').on('data', (/** @type {string} */ data) => {
      printed += data
      clearTimeout(timer)
      timer = setTimeout(end, limitMs)
    })
    child.on('error', reject)
    child.on('close', () => {
      clearTimeout(timer)
      end()
      resolve(printed.split('\n').slice(0, -1))
    })
  })
}

/** @param {string} program */
export function pathOf(program) {
  const { stdout } = spawnSync('sh', ['-c', 'command -v -- "$1"', 'sh', program], { encoding: 'utf8' })
  if (stdout.trim() === '') throw new Error(`There is no program ${program}.`)
  return stdout.trim()
}
