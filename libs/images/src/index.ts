export { ImagesHttpModule, ImagesWorkerModule } from './images.module.js';
export { imagesSchema } from './infrastructure/persistence/schema.js';
