/** A request that is sent again and again. */
export interface Shot {
  readonly method: string;
  readonly path: string;
  readonly token?: string;
  readonly body?: object;
}

/** A script of wrk that sends these in turn and prints the results in one line. */
export function luaScript(shots: readonly Shot[]): string {
  const lines = shots.map(({ method, path, token, body }) => {
    const headers = [
      token === undefined ? '' : `["authorization"]=${quoted(`Bearer ${token}`)},`,
      body === undefined ? '' : '["content-type"]="application/json",',
    ].join('');
    const text = body === undefined ? 'nil' : quoted(JSON.stringify(body));
    return `  {${quoted(method)}, ${quoted(path)}, {${headers}}, ${text}},`;
  });
  return `local shots = {
${lines.join('\n')}
}
local ready = {}
local at = 0

function init(args)
  for i, shot in ipairs(shots) do ready[i] = wrk.format(shot[1], shot[2], shot[3], shot[4]) end
end

function request()
  at = at % #ready + 1
  return ready[at]
end

function done(summary, latency, requests)
  local e = summary.errors
  io.write(string.format(
    'LOAD {"requests":%d,"micros":%d,"p50":%d,"p99":%d,"slowest":%d,"failed":%d}\\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), latency.max,
    e.connect + e.read + e.write + e.status + e.timeout
  ))
end
`;
}

/** A Lua string of these characters. */
export function quoted(text: string): string {
  return `"${text.replace(/[\\"\n\r\0]/g, (character) => `\\${String(character.charCodeAt(0)).padStart(3, '0')}`)}"`;
}
