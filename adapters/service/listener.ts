import type { Service } from '../http/index.ts';

/** Starts HTTP services, and closes those it has started. */
export interface HttpListener {
  readonly listen: (port?: number) => Promise<Service>;
  close(): Promise<void>;
}

export function listenerOn(start: (port?: number) => Promise<Service>): HttpListener {
  const services: Service[] = [];
  return {
    async listen(port) {
      const service = await start(port);
      services.push(service);
      return service;
    },
    async close() {
      await Promise.all(services.map((service) => service.close()));
    },
  };
}
