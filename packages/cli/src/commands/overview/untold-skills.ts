// A file of its own, so that the overview reads the code of listings only if one may lack skills.
export { untoldSkills } from '@skills/host/internal'
