/** Groups of `skills --help` in their order, with their titles. */
export const groups = {
  daily: 'Every day',
  skills: 'Your skills',
  install: 'Skills of others',
  agents: 'What agents and models make of them',
  serve: 'Serving, runs and publishing',
}

export type Groups = typeof groups
