import { Injectable } from '@nestjs/common';
import { Installation, InstallationState } from './ports/installation.port.js';

const freshForMs = 1_000;

/** The state of the installation. All who look at it share one reading. */
@Injectable()
export class ReadInstallation {
  private reading: Promise<InstallationState> | undefined;
  private readAt = -Infinity;

  constructor(private readonly installation: Installation) {}

  state(): Promise<InstallationState> {
    if (this.reading !== undefined && performance.now() - this.readAt < freshForMs) return this.reading;
    this.readAt = performance.now();
    const reading = this.installation.read();
    this.reading = reading;
    reading.catch(() => {
      if (this.reading === reading) this.reading = undefined;
    });
    return reading;
  }
}
