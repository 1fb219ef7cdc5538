import { createHash, timingSafeEqual } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import { plainAddress } from '#kernel';
import { Config } from '#platform/config';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** A request with one of these came through a proxy on this machine, and so from elsewhere. */
const proxyHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-real-ip'];

/** Decides who may read the metrics. They are confidential, because they show how much mail is sent. */
@Injectable()
export class MetricsAccess {
  constructor(private readonly config: Config) {}

  allows({ headers, socket }: FastifyRequest): boolean {
    const { metricsToken, publicUrl } = this.config.values;
    if (metricsToken !== undefined) return isSame(headers.authorization ?? '', `Bearer ${metricsToken}`);
    if (proxyHeaders.some((name) => headers[name] !== undefined)) return false;
    // A proxy that adds no header looks like this machine. Where people reach the service by a name, there may be one.
    if (publicUrl !== undefined && !isLoopback(new URL(publicUrl).hostname)) return false;
    // Against DNS rebinding: a page whose name was rebound to 127.0.0.1 sends its own name.
    if (!isLoopback(hostOf(headers.host ?? ''))) return false;
    return isLoopback(plainAddress(socket.remoteAddress ?? ''));
  }
}

function hostOf(host: string): string {
  return host.replace(/:\d+$/, '');
}

function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase();
  const family = isIP(bare);
  if (family === 0) return bare === 'localhost' || bare.endsWith('.localhost');
  return loopback.check(bare, family === 6 ? 'ipv6' : 'ipv4');
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [given, expected].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer];
  return timingSafeEqual(one, other);
}
