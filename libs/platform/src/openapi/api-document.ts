import { INestApplication, Injectable } from '@nestjs/common';
import { DocumentBuilder, OpenAPIObject, SwaggerModule } from '@nestjs/swagger';

/** The description of the HTTP API, made from its own controllers and request classes. */
@Injectable()
export class ApiDocument {
  private made: OpenAPIObject | undefined;

  get document(): OpenAPIObject {
    if (this.made === undefined) throw new Error('The API has not been described yet');
    return this.made;
  }

  /** Once, when all routes are known. */
  describe(app: INestApplication, publicUrl: string | undefined): void {
    const builder = new DocumentBuilder()
      .setTitle('Postrider')
      .setDescription('Email delivery: send, follow what became of it, manage who gets none.')
      .setVersion('1.0')
      .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'An API key' })
      .addSecurityRequirements('bearer');
    if (publicUrl !== undefined) builder.addServer(publicUrl);
    this.made = SwaggerModule.createDocument(app, builder.build(), {
      operationIdFactory: (controller, method) => `${controller.replace(/Controller$/, '')}_${method}`,
    });
  }
}
