export { Cells, MailElsewhereError } from './domain/cells.js';
export type { Cell } from './domain/cells.js';
export { CellsHttpModule, CellsModule } from './cells.module.js';
