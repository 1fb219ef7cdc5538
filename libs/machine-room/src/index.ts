export { Diagnosis, type DiagnosisReport } from './application/ports/installation.port.js';
export { MachineRoomHttpModule } from './machine-room.module.js';
