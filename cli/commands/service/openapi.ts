import { jsonText, safe } from '../../io/safe-text.ts';
import { type Noun, verb } from '../../verb.ts';

export const openapi: Noun = {
  name: 'openapi',
  summary: 'print the OpenAPI document of the service',
  verbs: [
    verb({
      name: '',
      summary: 'Print the OpenAPI 3.1 document that the service serves at /api/openapi.json.',
      examples: ['openapi > openapi.json'],
      async run(call) {
        const { openApi } = await import('../../../adapters/http/openapi/document.ts');
        call.out.raw(safe`${jsonText(openApi(), 2)}\n`);
      },
    }),
  ],
};
