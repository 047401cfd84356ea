-- What a person does in Neovim with a broken template, and what they see of it; `neovim.rs` runs it.
-- It is written for 0.7, the oldest version that has what `editors/neovim` needs.

local seen = {}

local function see(...)
  table.insert(seen, table.concat({ ... }, " "))
end

-- Waits for something that comes of a request; what never comes ends the script.
local function await(what, has_come)
  if not vim.wait(20000, has_come, 20) then
    error("it never comes: " .. what)
  end
end

local function is_at(file)
  return vim.fn.expand("%:t") == file
end

local function go_to(word)
  vim.fn.cursor(1, 1)
  assert(vim.fn.search("\\V" .. word, "c") > 0, word)
end

local function problems()
  return vim.diagnostic.get(0)
end

local function see_problems()
  see("-- problems of", vim.fn.expand("%:t"))
  for _, problem in ipairs(problems()) do
    local code = problem.code or problem.user_data.lsp.code
    see(string.format("%d:%d %s %s", problem.lnum + 1, problem.col + 1, code, problem.message))
  end
end

local function see_text()
  see("-- text of", vim.fn.expand("%:t"))
  for _, line in ipairs(vim.fn.getline(1, "$")) do
    see(line)
  end
end

local function run()
  vim.o.hidden = true
  vim.cmd("edit service.yaml")
  await("problems", function() return #problems() > 0 end)
  see_problems()

  -- The first change that is offered is made.
  vim.ui.select = function(items, options, choose)
    see("-- change")
    see(options.format_item and options.format_item(items[1]) or items[1])
    choose(items[1], 1)
  end
  go_to("proprties")
  vim.lsp.buf.code_action()
  await("the change", function() return vim.fn.search("  properties:", "n") > 0 end)
  await("the end of problems", function() return #problems() == 0 end)

  -- Completion at the end of a line that is typed.
  vim.fn.append(vim.fn.search("port: 80"), "        m")
  local line = vim.fn.search("^        m$")
  local parameters = {
    textDocument = { uri = vim.uri_from_bufnr(0) },
    position = { line = line - 1, character = 9 },
  }
  local answers = assert(vim.lsp.buf_request_sync(0, "textDocument/completion", parameters, 20000))
  see("-- completion")
  for _, answer in pairs(answers) do
    for _, item in ipairs(answer.result.items or answer.result) do
      see(item.label, item.detail or "")
    end
  end
  vim.fn.setline(line, "        memory: 4")

  go_to("Server")
  vim.lsp.buf.definition()
  await("the definition", function() return is_at("types.yaml") end)
  see("-- definition")
  see(vim.fn.expand("%:t"), vim.fn.line("."), vim.fn.getline("."))

  vim.cmd("edit service.yaml")
  go_to("Server")
  vim.lsp.buf.rename("Machine")
  local types = vim.fn.bufnr("types.yaml")
  await("the other name", function()
    return vim.fn.search("type: Machine", "n") > 0 and vim.fn.getbufline(types, 3)[1] == "  Machine:"
  end)
  see_text()
end

local is_well, message = pcall(run)
see(is_well and "-- end" or message)
vim.fn.writefile(seen, "seen")
vim.cmd("quitall!")
