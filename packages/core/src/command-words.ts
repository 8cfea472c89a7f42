export type Effort = 'low' | 'medium' | 'high' | 'xhigh' | 'max' | number

/**
 * Values of the field `context`, which says how a prompt runs. Each value is the id of an executor. Add a value by
 * declaration merging, as a kind of provider is added.
 */
export interface Contexts {
  inline: true
  fork: true
}

export type Context = keyof Contexts

/**
 * Values of the field `shell`, which says what runs the commands that a prompt embeds. Each value is the id of a shell.
 * Add a value by declaration merging.
 */
export interface Shells {
  bash: true
  powershell: true
}

export type ShellName = keyof Shells
