/**
 * Raised whenever the same bytes give other fields, another place of the body or other findings than before: what is kept from
 * one process to the next is then read anew.
 */
export const readerVersion = 4
