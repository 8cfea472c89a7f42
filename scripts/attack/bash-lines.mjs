// @ts-check
import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'

/** Returns the command that starts bash without privileges, as an unprivileged user where root starts it. */
export function bashCommand() {
  const isRoot = process.getuid?.() === 0 && spawnSync('setpriv', ['--version']).status === 0
  return [...(isRoot ? [pathOf('setpriv'), '--reuid=65534', '--regid=65534', '--clear-groups'] : []), pathOf('bash')]
}

/**
 * Runs lines in one bash process with a closed environment; each line prints one line when it is done.
 * @param {readonly string[]} lines
 * @param {{ readonly file: string, readonly cwd: string, readonly path: string, readonly limitMs: number }} options
 * @returns {Promise<string[]>} the printed lines: fewer where a line took longer than `limitMs` and bash was ended
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
        // The process has ended already.
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
