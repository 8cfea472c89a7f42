import { allowsNothing, runsAnything } from '@skills/rules/internal'
import type { AuditCode, AuditLevel } from './audit-finding.js'

export interface ToolBreadth {
  readonly code: Extract<AuditCode, 'allowed-tool' | 'any-command' | 'any-tool'>
  readonly level: AuditLevel
  /** Completes a sentence: what the tool may do. */
  readonly may: string
}

const shells = new Set(['bash', 'powershell', 'shell', 'terminal', 'execute'])
const everything = /^(?:\*|:\*|\*:\*)?$/

/** Tools that only read. */
const lookers = new Set([
  'read',
  'grep',
  'glob',
  'ls',
  'search',
  'view',
  'todoread',
  'todowrite',
  'askuserquestion',
  'toolsearch',
  'skill',
  'tasklist',
  'taskget',
  'taskcreate',
  'taskupdate',
  'notebookread',
])

/** Returns how many calls an entry of `allowed-tools` allows, judged by the permission rules. */
export function breadthOf(rule: string): ToolBreadth {
  const [, tool = rule, content] = /^([^(]*)\(([\s\S]*)\)$/.exec(rule) ?? []
  const name = tool.trim().toLowerCase()
  if (name === '*' || name === '' || name === 'mcp__*')
    return { code: 'any-tool', level: 'high', may: 'use every tool without asking' }
  if (shells.has(name)) return breadthOfCommands(content)
  if (content === undefined && lookers.has(name))
    return { code: 'allowed-tool', level: 'info', may: 'use a tool that only reads without asking' }
  const server = /^mcp__(.+?)(?:__(.*))?$/.exec(name)
  if (server !== null && ['*', '', undefined].includes(server[2]))
    return { code: 'allowed-tool', level: 'medium', may: `use every tool of the server ${server[1]} without asking` }
  return { code: 'allowed-tool', level: lookers.has(name) ? 'info' : 'low', may: `use ${tool.trim()} without asking` }
}

function breadthOfCommands(content: string | undefined): ToolBreadth {
  const open = { code: 'any-command', level: 'medium' } as const
  if (content === undefined || everything.test(content.trim()))
    return { ...open, may: 'run every command without asking' }
  // Several commands may share one pair of parentheses.
  const patterns = content.split(',').map(one => one.trim())
  const broad = patterns.find(pattern => everything.test(pattern) || runsAnything(openWord(pattern)))
  if (broad !== undefined)
    return { ...open, may: `run every command without asking, because ${JSON.stringify(broad)} can run any command` }
  const nothing = allowsNothing(`Bash(${content})`)
  if (nothing !== undefined && patterns.length === 1)
    return !nothing.isAnywhere
      ? { code: 'allowed-tool', level: 'low', may: 'run nothing, because the rule matches no command' }
      : content.trim().startsWith('*')
        ? {
            ...open,
            may: 'run every command that matches its pattern without asking in Claude Code, and no command elsewhere',
          }
        : {
            code: 'allowed-tool',
            level: 'low',
            may: 'run commands that match its pattern without asking in Claude Code, and no command elsewhere',
          }
  return {
    code: 'allowed-tool',
    level: 'low',
    may: `run ${patterns.length === 1 ? 'a command' : `${patterns.length} commands`} without asking`,
  }
}

/** Returns the program of a pattern that allows any arguments; for `/usr/bin/python3.12:*` its path. */
function openWord(pattern: string): string {
  return /^([^\s:*]+)(?::| +)?\*$/.exec(pattern)?.[1] ?? ''
}
