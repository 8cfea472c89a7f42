export type Effort = 'low' | 'medium' | 'high' | 'xhigh' | 'max' | number

/**
 * Values of `context`: how a prompt runs. Each is the id of an executor. Add one by declaration merging, as kinds are
 * added.
 */
export interface Contexts {
  inline: true
  fork: true
}

export type Context = keyof Contexts

/**
 * Values of `shell`: what runs the commands that a prompt embeds. Each is the id of a shell. Add one by declaration
 * merging.
 */
export interface Shells {
  bash: true
  powershell: true
}

export type ShellName = keyof Shells
