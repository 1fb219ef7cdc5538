import { DomainError } from '#kernel';

export class TooManyStreamsError extends DomainError {
  constructor(max: number) {
    super('limited', 'rate_limit_exceeded', `Your team has ${max} live streams open. Close one and try again.`);
  }
}

export class NoRoomForStreamsError extends DomainError {
  constructor() {
    super('unavailable', 'service_unavailable', 'The service cannot hold more live streams. Please try again.');
  }
}
