import { join } from 'node:path';
import { DirectoryMessageStore, S3MessageStore, s3LocationFromUrl } from '#emails';
import { IdentityModule } from '#identity';
import { Config } from '#platform/config';
import { Database } from '#postgres/database';
import { Module } from '@nestjs/common';
import { ImageLibrary } from './application/image-library.use-case.js';
import { ImageEncoder, ImageFiles, ImageRepository } from './application/ports/images.port.js';
import { ThreadedImageEncoder } from './infrastructure/encoding/threaded-image-encoder.js';
import { PostgresImageFiles, StoredImageFiles } from './infrastructure/files/image-files.js';
import { ImagesController } from './infrastructure/http/images.controller.js';
import { ShownImagesController } from './infrastructure/http/shown-images.controller.js';
import { ImagesPurge, PostgresImageRepository } from './infrastructure/persistence/postgres-image-repository.js';

/** Images that emails show. */
@Module({
  providers: [
    { provide: ImageRepository, useClass: PostgresImageRepository },
    { provide: ImageEncoder, useClass: ThreadedImageEncoder },
    { provide: ImageFiles, inject: [Config, Database], useFactory: configuredFiles },
    ImageLibrary,
  ],
  exports: [ImageLibrary],
})
class ImagesModule {}

@Module({ imports: [ImagesModule, IdentityModule], controllers: [ImagesController, ShownImagesController] })
export class ImagesHttpModule {}

/** Removes images that nothing shows any more. */
@Module({ imports: [ImagesModule], providers: [ImagesPurge] })
export class ImagesWorkerModule {}

/** Beside the messages, where `MESSAGE_STORE` has them. */
function configuredFiles({ values }: Config, database: Database): ImageFiles {
  switch (values.messageStore) {
    case 'postgres':
      return new PostgresImageFiles(database);
    case 'directory':
      return new StoredImageFiles(new DirectoryMessageStore(join(values.dataDir, 'images')));
    case 's3': {
      const location = s3LocationFromUrl(values.s3Url ?? '');
      return new StoredImageFiles(new S3MessageStore({ ...location, prefix: `${location.prefix}images/` }));
    }
  }
}
