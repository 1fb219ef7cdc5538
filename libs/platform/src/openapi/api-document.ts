import { INestApplication, Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { describedApi } from './descriptions.js';

/** The description of the HTTP API, made from its own controllers and request classes when it is first asked for. */
@Injectable()
export class ApiDocument {
  private made: Promise<OpenAPIObject> | undefined;
  private make = (): Promise<OpenAPIObject> => Promise.reject(new Error('There is no API to describe yet'));

  async document(): Promise<OpenAPIObject> {
    this.made ??= this.make();
    try {
      return await this.made;
    } catch (error) {
      this.made = undefined;
      throw error;
    }
  }

  /** To be called when all routes are known. */
  describe(app: INestApplication, publicUrl: string | undefined): void {
    this.make = async () => {
      const { DocumentBuilder, SwaggerModule } = await describedApi();
      const builder = new DocumentBuilder()
        .setTitle('Postrider')
        .setDescription('Email delivery: send, follow what became of it, manage who gets none.')
        .setVersion('1.0')
        .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'An API key' })
        .addSecurityRequirements('bearer');
      if (publicUrl !== undefined) builder.addServer(publicUrl);
      return SwaggerModule.createDocument(app, builder.build(), {
        operationIdFactory: (controller, method) => `${controller.replace(/Controller$/, '')}_${method}`,
      });
    };
  }
}
