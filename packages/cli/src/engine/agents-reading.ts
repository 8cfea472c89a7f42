// A file of its own, so that the table of agents is read only for a folder that no source searches.
export { agentsReading } from '@skills/distributions/internal'
