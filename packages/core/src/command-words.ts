export type Effort = 'low' | 'medium' | 'high' | 'xhigh' | 'max' | number

/** Words for how a prompt runs, each the id of an executor. Add one by declaration merging, as kinds are added. */
export interface Contexts {
  inline: true
  fork: true
}

export type Context = keyof Contexts

/** Words for what runs the commands that a prompt embeds, each the id of a shell. Add one by declaration merging. */
export interface Shells {
  bash: true
  powershell: true
}

export type ShellName = keyof Shells
