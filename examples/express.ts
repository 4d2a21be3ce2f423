// Espalier beside the routes of an Express application that you have. Run it: node dist/examples/express.js
import type { AddressInfo } from 'node:net';
import express from 'express';
import { createEspalier } from 'espalier';
import { createHttpApp } from 'espalier/http';
import { memoryStore } from 'espalier/memory';

const espalier = createEspalier({ store: memoryStore() });
const ada = await espalier.users.create({ name: 'Ada', email: 'ada@example.org' });
const { token } = await espalier.tokens.createFor({ userId: ada.id, name: 'example' });
const { engine, identity, store } = espalier;
const service = createHttpApp({ engine, identity, ready: () => store.ready(), basePath: '/tracker' });

const app = express();
// In front of body parsers: the service reads bodies itself, within its own bounds. Mounted without a path, as
// Express takes that off the address, and the service needs the whole.
app.use((request, response, next) => {
  if (/^\/tracker(?:\/|$)/.test(request.path)) service.listener(request, response);
  else next();
});
app.use(express.json());
app.get('/hello', (_request, response) => void response.send('Hello from your own routes.'));

const server = app.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/tracker`);
  console.log(`Authorization: Bearer ${token}`);
});
process.once('SIGTERM', () => {
  // The server would wait for streams of events, which end when their clients leave.
  service.close();
  server.close(() => void espalier.close());
});
