export { Diagnosis } from './application/ports/diagnosis.port.js';
export type { DiagnosisReport } from './application/ports/diagnosis.port.js';
export { MachineRoomHttpModule } from './machine-room.module.js';
