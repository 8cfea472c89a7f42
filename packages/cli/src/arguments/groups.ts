/** The groups of `skills --help`, in their order, each with its title. */
export const groups = {
  daily: 'Your skills',
  install: 'Skills of others',
  agents: 'What agents and models make of them',
  serve: 'Serving, runs and publishing',
}

export type Groups = typeof groups
