-- Gives wrk one path after the other from a file, and prints what it measured in one line.
-- Two threads begin at different places, so that none asks for what another has just asked for.
local paths = {}
local place = 0
local threads = 0

function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end

function init(args)
  for line in io.lines(args[1]) do paths[#paths + 1] = line end
  place = math.floor(#paths * number / 8)
end

function request()
  place = place % #paths + 1
  return wrk.format("GET", paths[place])
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    "measured %d %d %d %d %d\n",
    summary.requests,
    summary.duration,
    latency:percentile(50),
    latency:percentile(99),
    errors.status + errors.connect + errors.read + errors.write + errors.timeout
  ))
end
