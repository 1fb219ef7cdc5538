export { Cells, MailElsewhereError } from './domain/cells.js';
export type { Cell } from './domain/cells.js';
export { connectCell } from './infrastructure/persistence/connect-cell.js';
export type { CellDatabases, ConnectedCell } from './infrastructure/persistence/connect-cell.js';
export { CellsHttpModule, CellsModule } from './cells.module.js';
