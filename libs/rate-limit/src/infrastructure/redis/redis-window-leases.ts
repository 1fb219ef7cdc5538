import type { Cluster, Redis } from 'ioredis';
import { GrantedLease, LeaseRequest, WindowLeases } from '../../application/ports/rate-limiter.port.js';

/**
 * Stores windows as hashes that expire, by the clock of Redis. One script makes a lease atomic, and its one key keeps
 * it on one node of a cluster.
 */
export class RedisWindowLeases extends WindowLeases {
  constructor(private readonly redis: Redis | Cluster) {
    super();
    redis.defineCommand(command, { numberOfKeys: 1, lua: leaseScript });
  }

  async lease(teamId: string, { limit, portion, waiting }: LeaseRequest): Promise<GrantedLease> {
    const [granted, used, endsInMs] = await (this.redis as unknown as LeasingRedis)[command](
      `postrider:rate:{${teamId}}`,
      portion,
      limit,
      waiting,
    );
    return { granted, used, endsInMs };
  }
}

const command = 'postriderLease';

type LeasingRedis = Record<
  typeof command,
  (key: string, portion: number, limit: number, waiting: number) => Promise<[number, number, number]>
>;

/** A clock that is set back does not open a window twice: the later window continues. */
const leaseScript = `
  local time = redis.call('TIME')
  local portion, limit, waiting = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
  local window, used = tonumber(time[1]), 0
  local known = redis.call('HMGET', KEYS[1], 'window', 'used')
  if known[1] and tonumber(known[1]) >= window then
    window, used = tonumber(known[1]), tonumber(known[2])
  end
  local left = math.max(limit - used, 0)
  local granted = math.min(left, math.max(waiting, math.min(portion, math.ceil(left / 2))))
  used = used + granted
  redis.call('HSET', KEYS[1], 'window', window, 'used', used)
  redis.call('PEXPIRE', KEYS[1], 2000)
  local endsInMs = (window + 1 - tonumber(time[1])) * 1000 - math.ceil(tonumber(time[2]) / 1000)
  return { granted, used, endsInMs }`;
