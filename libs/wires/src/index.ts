export { WiresModule } from './wires.module.js';
