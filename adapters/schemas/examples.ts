/** The workspace of `examples/acme.jsonl`, which the examples of operations are about. */
export const acme = { workspaceId: 'acme' };

/** The ids of records in that workspace, and of others that the examples need. */
export const EXAMPLE_IDS = {
  ada: '01a202c6-c095-73c6-9557-2e71db5c95b8',
  ben: '01a202c6-d6e8-7341-b298-f4da738513ed',
  benAsUser: '01a202c6-bb7a-7534-a4e6-6b7ef7b59f11',
  cleo: '01a202c6-deec-75b5-8e42-162fa15fab1b',
  cleoAsUser: '01a202c6-bdee-72d1-9258-60a56cd7e11d',
  engineering: '01a202c6-c3a6-706b-a3a8-ffb8bb682d40',
  archive: '01a202c6-c626-73f0-bd87-9c7241d623d8',
  launch: '01a202c6-c975-70dd-91d4-7eed35bd29f9',
  todo: '01a202c6-c97b-7205-917f-b4f46840888c',
  doing: '01a202c6-c98b-7483-b60f-40a564c9c788',
  done: '01a202c6-c995-747c-a822-cb5f5d0e052d',
  docs: '01a202c6-cf60-7363-a209-c34dd5893007',
  roadmap: '01a202c6-cc5f-71bb-91a4-e5494c1238cd',
  publish: '01a202c6-eda3-7597-9ee8-879f0884f79c',
  readme: '01a202c6-f124-74ed-a553-b099594a4927',
  comment: '01a202c6-fa52-75ec-ad0b-7a229eca4299',
  item: '01a202d0-5a7e-7c31-8f4b-2d9e6c0b7a15',
  accepted: 'db2399c4-5ea1-496c-bb7d-8bc456c899a0',
  pending: '5c0f7d1e-93b4-4a86-8e21-6fd0a94b7c35',
  token: '01a202d0-4b1c-7e52-9a3d-5c8e7f1b2a64',
};
