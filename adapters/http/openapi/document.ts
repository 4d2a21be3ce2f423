/** The OpenAPI document. */
export function openApi(): object {
  return { openapi: '3.1.0' };
}
