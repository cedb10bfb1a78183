"""Evaluates a model with Inspect; this one always takes the first action."""

import inspect_ai
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from monopoly_training.language_models.inspect_task import monopoly


def stub(answer):
    """A mock model that always gives the same answer."""

    def outputs(messages, tools, tool_choice, config):
        output = ModelOutput.from_content("stub", answer)
        read = sum(len(message.text) for message in messages) // 4
        output.usage = ModelUsage(input_tokens=read, output_tokens=1)
        return output

    return get_model("mockllm/model", custom_outputs=outputs)


def evaluate(model, folder, **options):
    """The mean scores: win, rank, net_worth, legality, solved."""
    (log,) = inspect_ai.eval(monopoly(**options), model=model, log_dir=str(folder), display="none")
    assert log.status == "success", log.error
    (scores,) = {one.scorer for one in log.results.scores}
    assert scores == "standing"
    return {one.name: one.metrics["mean"].value for one in log.results.scores}, log


if __name__ == "__main__":
    print(evaluate(stub('{"action": 1}'), "logs", games=2)[0])
