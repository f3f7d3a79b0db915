// What people get wrong at first: every mistake is refused before anything is computed, by a message that names the
// argument and says what to do.

#include "command.hpp"

#include <string>
#include <vector>

namespace beginners_mistakes_test {

struct Mistake {
  const char *arguments, *subject, *cure;
};

const std::vector<Mistake> mistakes = {
    // Commands and models.
    {"", "no command is given", "there are: list, run, view, sample"},
    {"andrews", "unknown command 'andrews'", "there are: list, run, view, sample"},
    {"--tend 3", "unknown command '--tend'", "there are: list, run, view, sample"},
    {"run", "MODEL is required", "see 'linkwork list'"},
    {"run Andrews", "unknown model 'Andrews'", "there are: pendulum, double_pendulum"},
    {"run andrews.cpp", "unknown model 'andrews.cpp'", "cable_drum, andrews"},
    {"run andrews pendulum", "'pendulum' was not expected", "'linkwork run --help'"},
    {"list gearbox", "unknown model 'gearbox'", "there are: pendulum"},
    {"list andrews pendulum", "'pendulum' was not expected", "'linkwork list --help'"},
    {"topology", "MODEL is required", "see 'linkwork list'"},
    {"reproduce mexx", "unknown table 'mexx'", "there are: mexx-5.1"},
    // Options that there are not.
    {"run --model andrews", "unknown option '--model'", "'linkwork run --help'"},
    {"run andrews -o a.csv", "unknown option '-o'", "'--out'"},
    {"run andrews --output a.csv", "unknown option '--output'", "there are: '--out'"},
    {"run andrews --output=a.csv", "unknown option '--output=a.csv'", "there are: '--out'"},
    {"run andrews --Tend 1", "unknown option '--Tend'", "there are: '--tend'"},
    {"run andrews --t_end 1", "unknown option '--t_end'", "there are: '--tend'"},
    {"run andrews -tend 1", "unknown option '-tend'", "there are: '--tend'"},
    {"topology andrews --tend 1", "unknown option '--tend'", "'linkwork topology --help'"},
    {"compare andrews --integrator bdf", "unknown option '--integrator'", "'--rtol'"},
    {"run andrews --quiet 1", "'1' was not expected", "'linkwork run --help'"},
    {"run andrews --quiet=maybe", "--quiet takes no value", "leave it out"},
    // Values that are missing, or of another kind.
    {"run andrews --tend", "--tend: 1 required FLOAT missing", "it takes: end of the run [s]"},
    {"run andrews --json", "--json: 1 required FILE missing", "it takes: report as JSON"},
    {"run andrews --tend 1 --tend 2", "--tend: At Most 1 required but received 2", "end of the run"},
    {"run andrews --tend 1 2", "'2' was not expected", "'linkwork run --help'"},
    {"run andrews --tend 10s", "--tend '10s' is no number", "it takes: end of the run [s]"},
    {"run andrews --tend 1,5", "--tend '1,5' is no number", "it takes: end of the run [s]"},
    {"run andrews --tend -1", "--tend is -1 s", "not before 0 s"},
    {"run andrews --tend inf", "--tend is inf s", "expected a finite time"},
    {"run andrews --tend 1e400", "--tend '1e400' does not fit a number", "it takes: end of the run"},
    {"run andrews --out ''", "--out '' is empty", "it takes: samples as CSV"},
    // Tolerances.
    {"run andrews --rtol 1e-400", "--rtol '1e-400' does not fit a number", "it takes: relative tolerance"},
    {"run andrews --rtol 1", "rtol (--rtol) = 1;", "below 1"},
    {"run andrews --rtol 1e-20", "rtol (--rtol) = 1e-20", "expected from 2.2204"},
    {"run andrews --rtol 0 --atol 0", "rtol (--rtol) = 0 and atol (--atol) = 0", "expected one of them at 2.2204"},
    {"run andrews --rtol 0 --atol 1e-17", "atol (--atol) = 1e-17", "expected one of them at 2.2204"},
    {"run andrews --rtol -6", "rtol (--rtol) = -6", "expected from 2.2204"},
    {"run andrews --rtol 1%", "--rtol '1%' is no number", "it takes: relative tolerance"},
    {"run andrews --rtol 0x10", "--rtol '0x10' is no number", "it takes: relative tolerance"},
    {"run andrews --atol 5", "atol (--atol) = 5", "below 1"},
    {"run andrews --integrator bdf --atol -1e-6", "BdfOptions: atol (--atol) = -1e-06", "expected 0 up to"},
    {"compare andrews --rtol 2", "rtol (--rtol) = 2", "below 1"},
    // Parameters.
    {"run andrews --set torque 3", "'3' was not expected", "'linkwork run --help'"},
    {"run andrews --set torque:3", "--set 'torque:3'", "expected NAME=VALUE"},
    {"run andrews --set torque=", "--set 'torque=': '' is no number", "expected NAME=VALUE"},
    {"run andrews --set =3", "--set '=3'", "expected NAME=VALUE"},
    {"run andrews --set torqe=3", "no parameter 'torqe'", "it has: torque"},
    {"run andrews --set torque=0,03", "'0,03' is no number", "expected NAME=VALUE"},
    {"run andrews --set torque=0.03Nm", "'0.03Nm' is no number", "expected NAME=VALUE"},
    {"run andrews --set torque=1e-400", "'1e-400' does not fit a number", "expected NAME=VALUE"},
    {"run andrews --set torque=inf", "parameter 'torque' is inf N m", "expected a value from -1000 to 1000"},
    {"run insulator_chain --set n=2.5", "parameter 'n' is 2.5", "expected a whole number from 2"},
    {"run pendulum --set mass=0", "parameter 'mass' is 0 kg", "expected a value from"},
    {"run train_carriage --set contact=outside", "'outside' is no number", "a number or inside or explicit"},
    // Files and rates.
    {"run andrews --rate 100", "--rate is for the samples of --out", "give one of these too"},
    {"run andrews --out a.csv --rate 0", "--rate is 0 Hz", "expected a finite number above 0"},
    {"run andrews --out a.csv --rate 1e15", "--rate is 1e+15 Hz, which gives 3e+13 samples", "give a lower rate"},
    {"run andrews --html a.html --fps 1e9", "--fps is 1000000000 Hz, which gives 30000000 samples",
     "of 1000000 samples at most"},
    {"run andrews --out a.csv --rate 100Hz", "--rate '100Hz' is no number", "it takes: samples per second [Hz]"},
    {"run andrews --out a.csv --json a.csv", "--out a.csv and --json a.csv", "give one of them another name"},
    {"run andrews --out ./", "can't write './': it is a folder", "give a file"},
    {"run andrews --out no/a.csv", "can't write 'no/a.csv'", "make the folder 'no'"},
    {"run andrews --out - --json -", "--out - and --json -", "give one of them a file"},
    {"sample", "RUN is required", "it takes: the saved trajectory"},
    {"sample /dev/zero --rate 10", "'/dev/zero' is damaged, or no trajectory", "--save FILE"},
    {"sample a.traj", "--rate is required", "samples per second [Hz]"},
    {"sample missing.traj --rate 10", "can't read 'missing.traj'", "--save FILE"},
    {"sample a.traj --rate 10 --out a.traj", "RUN a.traj and --out a.traj", "give one of them another name"},
    // Methods and their options.
    {"run andrews --integrator rk4", "unknown integrator 'rk4'", "there are: extrapolation, bdf, radau"},
    {"run andrews --integrator BDF", "unknown integrator 'BDF'", "there are: extrapolation, bdf, radau"},
    {"run andrews --formulation abs", "unknown formulation 'abs'", "absolute, mixed, relative"},
    {"run andrews --linear lu", "unknown linear solver 'lu'", "'dense-lu'"},
    {"run andrews --form index2", "--form is an option of the integrator radau", "give --integrator radau"},
    {"run andrews --jacobian grouped", "--jacobian is an option of the integrators bdf, radau", "leave it out"},
    {"run andrews --cuts hinge", "no constraint 'hinge'", "there are: "},
    {"run andrews --max-order 99", "maximum_order (--max-order) is 99", "expected 3 to 13"},
    {"run andrews --max-order 2.5", "--max-order '2.5' is no whole number", "it takes: "},
    {"run andrews --max-steps 0", "maximum_steps (--max-steps) is 0", "expected > 0"},
    {"run andrews --max-steps 99999999999999999999", "does not fit a whole number", "largest number of steps"},
    {"run andrews --max-step -1", "maximum_step (--max-step) is -1 s", "or 0 for no limit"},
    {"run andrews --max-step 1e-9", "maximum_step (--max-step) 1e-09 s", "allow more steps, or longer ones"},
    {"run andrews --max-step 1e-310", "--max-step '1e-310' does not fit a number", "largest step [s]"},
    {"run andrews --first-step 0", "first_step (--first-step) is 0 s", "expected > 0"},
    // Events and starts.
    {"run andrews --event beta:up", "'up' is not known", "expected OBSERVABLE[:rising|:falling]"},
    {"run andrews --event nothing", "no observable 'nothing'", "it has: beta"},
    {"run andrews --event beta:stop:stop", "'stop' is a second action", "give one of them"},
    {"run andrews --event beta --no-events", "--no-events looks for no zeros", "leave one of them out"},
    {"run andrews --fix beta=x", "--fix 'beta=x': 'x' is no number", "expected NAME=VALUE"},
    {"run andrews --fix nothing=1", "nothing that is called 'nothing'", "it has the observables beta"},
    {"run andrews --guess beta", "--guess 'beta'", "expected NAME=VALUE"},
    {"run andrews --check-start --out a.csv", "--check-start only looks at", "leave one of them out"},
    // Benchmarks.
    {"bench --sizes ten", "--sizes 'ten'", "expected whole numbers with commas"},
    {"bench --sizes 99999999999", "--sizes '99999999999'", "expected whole numbers with commas"},
    {"bench --case rope", "unknown benchmark case 'rope'", "insulator_chain"},
};

TEST_F(Command, BeginnersAreToldWhatIsWrongAndWhatToDo) {
  for (const Mistake& mistake : mistakes) expect_refused(mistake.arguments, {mistake.subject, mistake.cure});
  EXPECT_GE(mistakes.size(), 70u);
}

}  // namespace beginners_mistakes_test
